package dev.holdfast.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.ManualTimer;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which waiters a message wakes, with a simulated connection and a manual timer. */
@Tag("pure")
@Tag("driver")
class SubscriptionsMessageTest {
    private final FakeWire wire = new FakeWire();
    private final Subscriptions subscriptions = wire.subscriptions(new ManualTimer());

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

        wire.events().message("a", "0");

        assertThat(first).isCompletedWithValue(Wakeup.PERMIT);
        assertThat(second).isNotDone();
        assertThat(other).isNotDone();
        assertThat(subscriptions.waiters()).isEqualTo(2);
    }

    /**
     * The two sides of a read-write lock share a channel, and so can two locks, such as {@code a} and <code>{a}</code>. Each may
     * have no use for a message that the other one can use: it wakes a waiter of both.
     */
    @Test
    void message_onASharedChannel_wakesOneWaiterOfEach() {
        Subscription a = subscriptions.subscribe("a");
        Subscription alsoA = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        a.drain();
        alsoA.drain();
        Waiter first = a.acquire();
        Waiter behind = a.acquire();
        Waiter second = alsoA.acquire();

        wire.events().message("a", "0");

        assertThat(first).isCompletedWithValue(Wakeup.PERMIT);
        assertThat(second).isCompletedWithValue(Wakeup.PERMIT);
        assertThat(behind).isNotDone();
    }

    /** A message that comes between the attempt and the wait of one is not lost to it by the attempt of the other. */
    @Test
    void message_onASharedChannel_isStoredForEach() {
        Subscription a = subscriptions.subscribe("a");
        Subscription alsoA = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        a.drain();
        alsoA.drain();
        Waiter listening = a.acquire();

        wire.events().message("a", "0");

        assertThat(listening).isDone();
        assertThat(a.drain()).isZero();
        assertThat(alsoA.acquire()).isCompletedWithValue(Wakeup.PERMIT);
        assertThat(a.acquire()).isNotDone();
    }

    /** A message that came while nobody was subscribed, or only another, may be what an attempt before has missed. */
    @Test
    void subscribe_toAConfirmedChannel_isAConfirmation() {
        Subscription a = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        a.close();
        wire.events().message("a", "0");

        Subscription again = subscriptions.subscribe("a");
        Subscription beside = subscriptions.subscribe("a");

        assertThat(again.acquire()).isDone();
        assertThat(beside.acquire()).isDone();
        assertThat(beside.acquire()).isNotDone();
    }

    /** A waiter that is made while its subscription ends is not forgotten. */
    @Test
    void close_wakesWhoeverIsLeft() {
        Subscription a = subscriptions.subscribe("a");
        Subscription alsoA = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        a.drain();
        Waiter left = a.acquire();

        a.close();

        assertThat(left).isDone();
        assertThat(alsoA.isConfirmed()).isTrue();
    }

    /** A continuation of the confirmation can drain the wake-up that comes with it, so that its first wait blocks. */
    @Test
    void subscribed_storesNothingBehindTheConfirmation() {
        Subscription a = subscriptions.subscribe("a");
        CompletionStage<Integer> drained = a.confirmed().thenApply(done -> a.drain());

        wire.events().subscribed("a");

        assertThat(drained).isDone();
        assertThat(a.acquire()).isNotDone();
    }
}
