package dev.holdfast.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTimer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Detection of a silent server by pings, with a simulated connection and a manual timer. */
@Tag("pure")
@Tag("driver")
class SubscriptionsPingTest {
    private final ManualTimer timer = new ManualTimer();
    private final FakeWire wire = new FakeWire();
    private final Subscriptions subscriptions = wire.subscriptions(timer);

    /** The server is pinged only while there is a waiter. */
    @Test
    void ping_onlyWithWaiters() {
        Subscription a = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        a.drain();
        timer.advance(Duration.ofSeconds(10));
        wire.sent();
        assertThat(timer.pending()).isZero();

        Waiter waiter = a.acquire();
        timer.advance(Duration.ofSeconds(1));
        wire.events().received();
        timer.advance(Duration.ofSeconds(1));
        wire.events().received();
        assertThat(wire.sent()).containsExactly("ping", "ping");

        a.leave(waiter);
        timer.advance(Duration.ofSeconds(10));
        assertThat(wire.sent()).isEmpty();
        assertThat(timer.pending()).isZero();
    }

    /** A connection that is silent for long enough is given up, and the waiters are woken once there is a new one. */
    @Test
    void ping_unanswered_reconnects() {
        Subscription a = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        a.drain();
        Waiter waiter = a.acquire();
        wire.sent();

        timer.advance(Duration.ofSeconds(4));
        assertThat(wire.sent()).containsExactly("ping", "ping", "ping", "disconnect");

        wire.lose();
        timer.advance(Duration.ofSeconds(30));
        assertThat(wire.sent()).isEmpty();
        wire.connect();
        wire.events().subscribed("a");
        assertThat(waiter).isCompletedWithValue(Wakeup.ALL);
    }

    /** Anything received from the server is a sign of life, even a message on another channel. */
    @Test
    void ping_answeredByAnything_isAnswered() {
        Subscription a = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        a.drain();
        Waiter waiter = a.acquire();
        wire.sent();

        for (int second = 0; second < 30; second++) {
            timer.advance(Duration.ofSeconds(1));
            if (second % 2 == 0) {
                wire.events().received();
            }
        }

        assertThat(wire.sent()).hasSize(30).containsOnly("ping");
        assertThat(waiter).isNotDone();
    }

    /** While a SUBSCRIBE is unanswered the server is pinged as for a waiter. */
    @Test
    void ping_whileASubscriptionIsUnconfirmed() {
        subscriptions.subscribe("a");

        timer.advance(Duration.ofSeconds(4));

        assertThat(wire.sent()).containsExactly("+a", "ping", "ping", "ping", "disconnect");
    }
}
