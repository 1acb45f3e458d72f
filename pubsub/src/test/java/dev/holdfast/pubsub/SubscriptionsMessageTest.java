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
     * Two locks can share a channel, such as {@code a} and <code>{a}</code>. A message then wakes all waiters, since a
     * single one might have no use for it.
     */
    @Test
    void message_onASharedChannel_wakesAllWaiters() {
        Subscription a = subscriptions.subscribe("a");
        Subscription alsoA = subscriptions.subscribe("a");
        wire.events().subscribed("a");
        a.drain();
        Waiter first = a.acquire();
        Waiter second = alsoA.acquire();

        wire.events().message("a", "0");

        assertThat(first).isDone();
        assertThat(second).isDone();
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
