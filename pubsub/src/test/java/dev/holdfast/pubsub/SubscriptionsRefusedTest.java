package dev.holdfast.pubsub;

import static dev.holdfast.pubsub.FakeWire.LINGER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.ManualTimer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Channels that the server refuses, with a simulated connection and a manual timer. */
@Tag("pure")
@Tag("driver")
class SubscriptionsRefusedTest {
    private final ManualTimer timer = new ManualTimer();
    private final FakeWire wire = new FakeWire();
    private final Subscriptions subscriptions = wire.subscriptions(timer);

    /** A refusal fails that channel with the server's error; others are not affected. */
    @Test
    void refused_failsThatChannelOnly() {
        Subscription a = subscriptions.subscribe("a");
        Subscription b = subscriptions.subscribe("b");

        wire.events().refused("a", new IllegalStateException("NOPERM no"));
        wire.events().subscribed("b");

        assertThatThrownBy(a.confirmed().toCompletableFuture()::join)
                .hasCauseInstanceOf(SubscriptionRefusedException.class)
                .hasMessageContaining("channel a")
                .hasMessageContaining("NOPERM no");
        assertThat(b.confirmed()).isCompleted();
    }

    /** A refused channel is subscribed again for the next subscriber and on the next connection. */
    @Test
    void refused_isRequestedAgain() {
        Subscription a = subscriptions.subscribe("a");
        wire.events().refused("a", new IllegalStateException("NOPERM no"));
        wire.sent();

        Subscription again = subscriptions.subscribe("a");
        assertThat(wire.sent()).containsExactly("+a");
        wire.events().refused("a", new IllegalStateException("NOPERM still no"));
        assertThat(again.confirmed()).isCompletedExceptionally();

        wire.lose();
        wire.connect();
        assertThat(wire.sent()).containsExactly("+a");
        wire.events().subscribed("a");
        assertThat(a.confirmed()).isCompleted();
    }

    /** A refused channel is removed when it is no longer wanted. */
    @Test
    void refused_thenClosed_isForgotten() {
        Subscription a = subscriptions.subscribe("a");
        wire.events().refused("a", new IllegalStateException("NOPERM no"));
        a.close();
        timer.advance(LINGER.multipliedBy(2));

        assertThat(subscriptions.channels()).isZero();
        assertThat(wire.sent()).containsExactly("+a");
    }
}
