package dev.holdfast.pubsub;

import static dev.holdfast.pubsub.FakeWire.LINGER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTimer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Channels when the connection is lost and replaced, with a simulated connection and a manual timer. */
@Tag("pure")
@Tag("driver")
class SubscriptionsReconnectTest {
    private final ManualTimer timer = new ManualTimer();
    private final FakeWire wire = new FakeWire();
    private final Subscriptions subscriptions = wire.subscriptions(timer);

    /**
     * After a reconnect every wanted channel is subscribed, and each wakes all its waiters once it is confirmed, not
     * before.
     */
    @Test
    void reconnect_subscribesAll_andWakesAllWaitersOnConfirmation() {
        Subscription a = subscriptions.subscribe("a");
        Subscription b = subscriptions.subscribe("b");
        wire.events().subscribed("a");
        wire.events().subscribed("b");
        a.drain();
        Waiter one = a.acquire();
        Waiter two = a.acquire();
        wire.sent();

        wire.lose();
        assertThat(a.confirmed()).isNotDone();
        wire.connect();
        assertThat(subscriptions.epoch()).isEqualTo(2);
        assertThat(wire.sent()).containsExactlyInAnyOrder("+a", "+b");

        wire.events().subscribed("b");
        assertThat(one).isNotDone();
        wire.events().subscribed("a");
        assertThat(one).isCompletedWithValue(Wakeup.ALL);
        assertThat(two).isCompletedWithValue(Wakeup.ALL);
        assertThat(b.confirmed()).isCompleted();
    }

    /**
     * The listener is notified of each loss and each new connection, in order, after the subscriptions have processed
     * it.
     */
    @Test
    void onChange_isCalledInOrder() {
        List<String> events = new ArrayList<>();
        subscriptions.onChange(
                () -> events.add("connected: " + subscriptions.isConnected()),
                () -> events.add("disconnected: " + subscriptions.isConnected()));
        assertThat(events).isEmpty();

        wire.lose();
        wire.connect();

        assertThat(events).containsExactly("disconnected: false", "connected: true");
    }

    /** A caller between its attempt and its wait when the connection is replaced is woken as well. */
    @Test
    void reconnect_betweenAttemptAndWait_isNotMissed() {
        Subscription a = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        a.drain();

        wire.lose();
        wire.connect();
        wire.events().subscribed("a");

        assertThat(a.acquire()).isCompletedWithValue(Wakeup.PERMIT);
    }

    /** Without a connection a subscription is accepted, and sent with the next one. */
    @Test
    void subscribe_whileDisconnected_isSentOnReconnect() {
        wire.lose();
        Subscription a = subscriptions.subscribe("a");
        assertThat(wire.sent()).isEmpty();

        wire.connect();
        assertThat(wire.sent()).containsExactly("+a");
        wire.events().subscribed("a");
        assertThat(a.confirmed()).isCompleted();
    }

    /**
     * A channel that is closed while disconnected is not subscribed again, and is removed from the driver's list too.
     */
    @Test
    void close_whileDisconnected_isTakenOffTheList() {
        Subscription a = subscriptions.subscribe("a");
        Subscription neverSubscribed = subscriptions.subscribe("b");
        wire.events().subscribed("a");
        wire.lose();
        a.close();
        neverSubscribed.close();
        timer.advance(LINGER.multipliedBy(2));
        assertThat(subscriptions.channels()).isEqualTo(1);
        wire.sent();

        wire.connect();
        assertThat(wire.sent()).containsExactly("-a");
        wire.events().unsubscribed("a");
        assertThat(subscriptions.channels()).isZero();
    }
}
