package dev.holdfast.pubsub;

import static dev.holdfast.pubsub.FakeWire.LINGER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.ManualTimer;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The life cycle of channels, with a simulated connection and a manual timer. */
@Tag("pure")
@Tag("driver")
class SubscriptionsTest {
    private final ManualTimer timer = new ManualTimer();
    private final FakeWire wire = new FakeWire();
    private final Subscriptions subscriptions = wire.subscriptions(timer);

    /** A subscription is confirmed by the server's reply for this channel, not by sending the command. */
    @Test
    void confirmed_isWhatTheServerSaid() {
        Subscription a = subscriptions.subscribe("a");
        Subscription b = subscriptions.subscribe("b");
        assertThat(wire.sent()).containsExactly("+a", "+b");

        wire.events().subscribed("b");

        assertThat(a.confirmed()).isNotDone();
        assertThat(b.confirmed()).isCompleted();
    }

    /**
     * However many subscriptions a channel has, it is subscribed once and unsubscribed once, a linger after the last
     * one is closed.
     */
    @Test
    void close_ofTheLast_unsubscribesAfterTheLinger() {
        Subscription first = subscriptions.subscribe("a");
        Subscription second = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        assertThat(wire.sent()).containsExactly("+a");

        first.close();
        first.close();
        timer.advance(LINGER.multipliedBy(3));
        assertThat(wire.sent()).isEmpty();

        second.close();
        timer.advance(LINGER);
        assertThat(wire.sent()).isEmpty();
        timer.advance(LINGER);
        assertThat(wire.sent()).containsExactly("-a");

        wire.events().unsubscribed("a");
        assertThat(subscriptions.channels()).isZero();
        assertThat(timer.pending()).isZero();
    }

    /** A channel whose last subscription is to end at once is unsubscribed without a linger; others keep it. */
    @Test
    void closeAtOnce_unsubscribes() {
        Subscription first = subscriptions.subscribe("a");
        Subscription second = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        wire.sent();

        first.closeAtOnce();
        first.closeAtOnce();
        assertThat(wire.sent()).isEmpty();
        second.closeAtOnce();
        assertThat(wire.sent()).containsExactly("-a");

        wire.events().unsubscribed("a");
        assertThat(subscriptions.channels()).isZero();
        timer.advance(LINGER.multipliedBy(3));
        assertThat(wire.sent()).isEmpty();
        assertThat(timer.pending()).isZero();
    }

    /** A channel that is subscribed again within the linger needs no command, and its linger starts anew. */
    @Test
    void subscribe_withinTheLinger_costsNothing() {
        Subscription held = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        wire.sent();
        for (int i = 0; i < 100; i++) {
            held.close();
            timer.advance(LINGER.dividedBy(2));
            held = subscriptions.subscribe("a");
            assertThat(held.confirmed()).isCompleted();
        }

        assertThat(wire.sent()).isEmpty();
        assertThat(timer.pending()).isLessThanOrEqualTo(2);
    }

    /**
     * A channel that is wanted again while its UNSUBSCRIBE is in flight is subscribed again after it, and an old
     * confirmation does not count.
     */
    @Test
    void subscribe_whileUnsubscribing_waitsForItsOwnConfirmation() {
        subscriptions.subscribe("a").close();
        wire.events().subscribed("a");
        timer.advance(LINGER.multipliedBy(2));
        assertThat(wire.sent()).containsExactly("+a", "-a");

        Subscription again = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        assertThat(again.confirmed()).isNotDone();
        assertThat(wire.sent()).isEmpty();

        wire.events().unsubscribed("a");
        assertThat(wire.sent()).containsExactly("+a");
        assertThat(again.confirmed()).isNotDone();
        wire.events().subscribed("a");
        assertThat(again.confirmed()).isCompleted();
    }

    /** A channel that is no longer wanted before the server has replied is unsubscribed as soon as it has. */
    @Test
    void close_whileSubscribing_unsubscribesAfterTheReply() {
        subscriptions.subscribe("a").close();
        timer.advance(LINGER.multipliedBy(2));
        assertThat(wire.sent()).contains("+a").doesNotContain("-a");

        wire.events().subscribed("a");
        assertThat(wire.sent()).containsExactly("-a");
    }

    /** A subscription that the server ended is made again, and its waiters are woken. */
    @Test
    void unsubscribed_byServer_isSubscribedAgain() {
        Subscription held = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        held.drain();
        Waiter waiter = held.acquire();
        wire.sent();

        wire.events().unsubscribed("a");
        assertThat(wire.sent()).containsExactly("+a");
        assertThat(held.confirmed()).isNotDone();
        wire.events().subscribed("a");
        assertThat(waiter).isCompletedWithValue(Wakeup.ALL);
    }

    /** Closing fails the waiters, rejects new calls, and leaves no timeout in the timer. */
    @Test
    void close_failsAllWaiters_andLeavesNothingPending() {
        Subscription a = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        a.drain();
        Waiter waiter = a.acquire();
        CompletionStage<Void> unconfirmed = subscriptions.subscribe("b").confirmed();
        subscriptions.subscribe("c").close();

        subscriptions.close();
        subscriptions.close();
        a.close();

        assertThatThrownBy(waiter::join).hasCauseInstanceOf(SubscriptionsClosedException.class);
        assertThatThrownBy(unconfirmed.toCompletableFuture()::join)
                .hasCauseInstanceOf(SubscriptionsClosedException.class);
        assertThatThrownBy(() -> subscriptions.subscribe("a")).isInstanceOf(SubscriptionsClosedException.class);
        assertThat(timer.pending()).isZero();
        assertThat(subscriptions.isConnected()).isFalse();
    }

    /** A connection that is made when nobody waits for it any more is closed, and never used. */
    @Test
    void close_beforeItIsConnected_closesTheLateConnection() {
        Subscriptions unconnected = Subscriptions.unconnected(timer, PubSubSettings.defaults());
        FakeWire late = new FakeWire();
        unconnected.close();

        assertThat(unconnected.connect(late::attach)).isFalse();

        assertThat(late.closed).isTrue();
        assertThat(unconnected.isConnected()).isFalse();
    }

    /** The same if they are closed while they are being connected, and find no connection to close. */
    @Test
    void close_whileItIsConnected_closesTheLateConnection() {
        Subscriptions unconnected = Subscriptions.unconnected(timer, PubSubSettings.defaults());
        FakeWire late = new FakeWire();

        boolean used = unconnected.connect(events -> {
            unconnected.close();
            return late.attach(events);
        });

        assertThat(used).isFalse();
        assertThat(late.closed).isTrue();
        assertThat(unconnected.isConnected()).isFalse();
    }

    /** A closed subscription cannot be waited on. */
    @Test
    void acquire_afterClose_isRefused() {
        Subscription a = subscriptions.subscribe("a");
        a.close();

        assertThatThrownBy(a::acquire).isInstanceOf(IllegalStateException.class).hasMessageContaining("channel a");
    }

    /** A name that would come back from the server changed is rejected, since it could never be confirmed. */
    @Test
    void subscribe_unwritableName_isRefused() {
        assertThatThrownBy(() -> subscriptions.subscribe("\ud800"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("UTF-8");
        assertThat(subscriptions.channels()).isZero();
    }
}
