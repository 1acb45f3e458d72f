package dev.holdfast.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.ManualTimer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The life of channels against a connection played by the test, in time moved by the test. */
class SubscriptionsTest {
    private static final Duration LINGER = Duration.ofSeconds(1);

    private final ManualTimer timer = new ManualTimer();
    private final PubSubSettings settings = new PubSubSettings(LINGER, Duration.ofSeconds(1), Duration.ofSeconds(3));
    private final FakeWire wire = new FakeWire();
    private final Subscriptions subscriptions = new Subscriptions(wire::attach, timer, settings);

    private static CompletableFuture<Void> confirmed(Subscription subscription) {
        return subscription.confirmed().toCompletableFuture();
    }

    /** Confirmed is what the server said of this channel, not that something was sent. */
    @Test
    void confirmed_isWhatTheServerSaid() {
        Subscription a = subscriptions.subscribe("a");
        Subscription b = subscriptions.subscribe("b");
        assertThat(wire.sent()).containsExactly("+a", "+b");

        wire.events().subscribed("b");

        assertThat(confirmed(a)).isNotDone();
        assertThat(confirmed(b)).isCompleted();
    }

    /** However many want a channel, it is asked for once and let go once, a linger after the last. */
    @Test
    void close_ofTheLast_letsTheChannelGoAfterTheLinger() {
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

    /** A channel that is picked up within the linger costs nothing, and its linger starts anew. */
    @Test
    void subscribe_withinTheLinger_costsNothing() {
        Subscription held = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        wire.sent();
        for (int i = 0; i < 100; i++) {
            held.close();
            timer.advance(LINGER.dividedBy(2));
            held = subscriptions.subscribe("a");
            assertThat(confirmed(held)).isCompleted();
        }

        assertThat(wire.sent()).isEmpty();
        assertThat(timer.pending()).isLessThanOrEqualTo(2);
    }

    /** Wanted again while the end is under way: asked for again after it, and an old confirmation does not count. */
    @Test
    void subscribe_whileUnsubscribing_waitsForItsOwnConfirmation() {
        subscriptions.subscribe("a").close();
        wire.events().subscribed("a");
        timer.advance(LINGER.multipliedBy(2));
        assertThat(wire.sent()).containsExactly("+a", "-a");

        Subscription again = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        assertThat(confirmed(again)).isNotDone();
        assertThat(wire.sent()).isEmpty();

        wire.events().unsubscribed("a");
        assertThat(wire.sent()).containsExactly("+a");
        assertThat(confirmed(again)).isNotDone();
        wire.events().subscribed("a");
        assertThat(confirmed(again)).isCompleted();
    }

    /** No longer wanted before the server has answered: let go as soon as it has. */
    @Test
    void close_whileSubscribing_letsGoAfterTheAnswer() {
        subscriptions.subscribe("a").close();
        timer.advance(LINGER.multipliedBy(2));
        assertThat(wire.sent()).contains("+a").doesNotContain("-a");

        wire.events().subscribed("a");
        assertThat(wire.sent()).containsExactly("-a");
    }

    /** A subscription that ended unasked is asked for again, and its waiters look. */
    @Test
    void unsubscribed_unasked_isSubscribedAgain() {
        Subscription held = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        held.drain();
        Waiter waiter = held.acquire();
        wire.sent();

        wire.events().unsubscribed("a");
        assertThat(wire.sent()).containsExactly("+a");
        assertThat(confirmed(held)).isNotDone();
        wire.events().subscribed("a");
        assertThat(waiter).isCompletedWithValue(Wakeup.ALL);
    }

    /** A message wakes one waiter of its own channel. */
    @Test
    void message_wakesOneOfItsChannel() {
        Subscription a = subscriptions.subscribe("a");
        Subscription b = subscriptions.subscribe("b");
        wire.events().subscribed("a");
        wire.events().subscribed("b");
        a.drain();
        b.drain();
        Waiter first = a.acquire();
        Waiter second = a.acquire();
        Waiter other = b.acquire();

        wire.events().message("a");

        assertThat(first).isCompletedWithValue(Wakeup.PERMIT);
        assertThat(second).isNotDone();
        assertThat(other).isNotDone();
        assertThat(subscriptions.waiters()).isEqualTo(2);
    }

    /**
     * Two locks can share a channel, such as {@code a} and <code>{a}</code>. A message wakes everyone then, for the one it
     * would wake alone may have no use for it.
     */
    @Test
    void message_onASharedChannel_wakesEveryone() {
        Subscription a = subscriptions.subscribe("a");
        Subscription alsoA = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        a.drain();
        Waiter first = a.acquire();
        Waiter second = alsoA.acquire();

        wire.events().message("a");

        assertThat(first).isDone();
        assertThat(second).isDone();
    }

    /** What hangs on the confirmation can drain the wake-up that comes with it, so its first wait is a wait. */
    @Test
    void subscribed_storesNothingBehindTheConfirmation() {
        Subscription a = subscriptions.subscribe("a");
        CompletableFuture<Integer> drained = confirmed(a).thenApply(done -> a.drain());

        wire.events().subscribed("a");

        assertThat(drained).isDone();
        assertThat(a.acquire()).isNotDone();
    }

    /** After a reconnect every wanted channel is asked for, and each wakes everyone once it is confirmed, not before. */
    @Test
    void reconnect_subscribesAll_andWakesEveryoneOnConfirmation() {
        Subscription a = subscriptions.subscribe("a");
        Subscription b = subscriptions.subscribe("b");
        wire.events().subscribed("a");
        wire.events().subscribed("b");
        a.drain();
        Waiter one = a.acquire();
        Waiter two = a.acquire();
        wire.sent();

        wire.lose();
        assertThat(confirmed(a)).isNotDone();
        wire.connect();
        assertThat(subscriptions.epoch()).isEqualTo(2);
        assertThat(wire.sent()).containsExactlyInAnyOrder("+a", "+b");

        wire.events().subscribed("b");
        assertThat(one).isNotDone();
        wire.events().subscribed("a");
        assertThat(one).isCompletedWithValue(Wakeup.ALL);
        assertThat(two).isCompletedWithValue(Wakeup.ALL);
        assertThat(confirmed(b)).isCompleted();
    }

    /** One who is between its look and its wait when the connection is remade is woken as well. */
    @Test
    void reconnect_betweenLookAndWait_isNotMissed() {
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
        assertThat(confirmed(a)).isCompleted();
    }

    /** A channel let go while there is no connection is not subscribed again, and leaves the driver's list too. */
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

    /** A refusal fails that channel with the server's words; others do not notice. */
    @Test
    void refused_failsThatChannelOnly() {
        Subscription a = subscriptions.subscribe("a");
        Subscription b = subscriptions.subscribe("b");

        wire.events().refused("a", new IllegalStateException("NOPERM no"));
        wire.events().subscribed("b");

        assertThatThrownBy(confirmed(a)::join)
                .hasCauseInstanceOf(SubscriptionRefusedException.class)
                .hasMessageContaining("channel a")
                .hasMessageContaining("NOPERM no");
        assertThat(confirmed(b)).isCompleted();
    }

    /** A refused channel is asked for again by the next subscriber and by the next connection. */
    @Test
    void refused_isAskedForAgain() {
        Subscription a = subscriptions.subscribe("a");
        wire.events().refused("a", new IllegalStateException("NOPERM no"));
        wire.sent();

        Subscription again = subscriptions.subscribe("a");
        assertThat(wire.sent()).containsExactly("+a");
        wire.events().refused("a", new IllegalStateException("NOPERM still no"));
        assertThat(confirmed(again)).isCompletedExceptionally();

        wire.lose();
        wire.connect();
        assertThat(wire.sent()).containsExactly("+a");
        wire.events().subscribed("a");
        assertThat(confirmed(a)).isCompleted();
    }

    /** A refused channel that nobody wants any more is forgotten. */
    @Test
    void refused_thenClosed_isForgotten() {
        Subscription a = subscriptions.subscribe("a");
        wire.events().refused("a", new IllegalStateException("NOPERM no"));
        a.close();
        timer.advance(LINGER.multipliedBy(2));

        assertThat(subscriptions.channels()).isZero();
        assertThat(wire.sent()).containsExactly("+a");
    }

    /** The server is pinged while somebody waits, and left alone otherwise. */
    @Test
    void ping_onlyWhileSomebodyWaits() {
        Subscription a = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        a.drain();
        timer.advance(Duration.ofSeconds(10));
        wire.sent();
        assertThat(timer.pending()).isZero();

        Waiter waiter = a.acquire();
        timer.advance(Duration.ofSeconds(1));
        wire.events().heard();
        timer.advance(Duration.ofSeconds(1));
        wire.events().heard();
        assertThat(wire.sent()).containsExactly("ping", "ping");

        a.leave(waiter);
        timer.advance(Duration.ofSeconds(10));
        assertThat(wire.sent()).isEmpty();
        assertThat(timer.pending()).isZero();
    }

    /** A connection on which nothing is heard for long enough is given up, and the waiters look once there is a new one. */
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

    /** Any word from the server is a sign of life, be it a message on another channel. */
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
                wire.events().heard();
            }
        }

        assertThat(wire.sent()).hasSize(30).containsOnly("ping");
        assertThat(waiter).isNotDone();
    }

    /** An unanswered SUBSCRIBE is watched over as a waiter is. */
    @Test
    void ping_whileASubscriptionIsUnconfirmed() {
        subscriptions.subscribe("a");

        timer.advance(Duration.ofSeconds(4));

        assertThat(wire.sent()).containsExactly("+a", "ping", "ping", "ping", "disconnect");
    }

    /** Closing fails what waits, refuses what comes, and leaves nothing in the timer. */
    @Test
    void close_failsEveryone_andLeavesNothingPending() {
        Subscription a = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        a.drain();
        Waiter waiter = a.acquire();
        CompletableFuture<Void> unconfirmed = confirmed(subscriptions.subscribe("b"));
        subscriptions.subscribe("c").close();

        subscriptions.close();
        subscriptions.close();
        a.close();

        assertThatThrownBy(waiter::join).hasCauseInstanceOf(SubscriptionsClosedException.class);
        assertThatThrownBy(unconfirmed::join).hasCauseInstanceOf(SubscriptionsClosedException.class);
        assertThatThrownBy(() -> subscriptions.subscribe("a")).isInstanceOf(SubscriptionsClosedException.class);
        assertThat(timer.pending()).isZero();
        assertThat(subscriptions.isConnected()).isFalse();
    }

    /** Who has given up its interest cannot wait. */
    @Test
    void acquire_afterClose_isRefused() {
        Subscription a = subscriptions.subscribe("a");
        a.close();

        assertThatThrownBy(a::acquire).isInstanceOf(IllegalStateException.class).hasMessageContaining("channel a");
    }

    /** A name that comes back as another one could never be confirmed. */
    @Test
    void subscribe_unwritableName_isRefused() {
        assertThatThrownBy(() -> subscriptions.subscribe("\ud800"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("UTF-8");
        assertThat(subscriptions.channels()).isZero();
    }
}
