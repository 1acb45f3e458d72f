package dev.holdfast.pubsub;

import static dev.holdfast.interleavings.Interleavings.explore;
import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Interleavings.together;

import dev.holdfast.testkit.ManualTimer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Subscriptions open and close in any order with the server's replies, the end of the linger and a lost connection: at
 * rest, the server has the channel subscribed if and only if it is wanted; its subscribers have the confirmation; and
 * nothing is left of an unwanted channel.
 */
class SubscriptionsInterleavingTest {
    private static final Duration LINGER = Duration.ofSeconds(1);
    private static final PubSubSettings SETTINGS =
            new PubSubSettings(LINGER, Duration.ofMinutes(1), Duration.ofMinutes(3));

    /** Subscriptions to a server whose replies the scenario triggers. */
    private static final class Rig {
        final ManualTimer timer = new ManualTimer();
        final AnsweringWire wire = new AnsweringWire();
        final Subscriptions subscriptions = new Subscriptions(wire::attach, timer, SETTINGS);

        Subscription subscribe() {
            return subscriptions.subscribe("a");
        }

        void linger() {
            timer.advance(LINGER);
        }

        private void quiet() {
            for (int i = 0; i < 3; i++) {
                wire.answer();
                linger();
            }
            wire.answer();
        }

        void requireWanted(Subscription by) {
            quiet();
            require(wire.hasSubscribed("a"), "the server has the channel subscribed");
            require(by.confirmed().toCompletableFuture().isDone(), "the subscriber has the confirmation");
            by.close();
            requireUnwanted();
        }

        void requireUnwanted() {
            quiet();
            require(!wire.hasSubscribed("a"), "the server does not have the channel subscribed");
            require(subscriptions.channels() == 0, "no channel is left");
        }
    }

    /** The last subscription closes and another opens, while the server replies. */
    @Test
    void subscribe_againstCloseAndAnswers() {
        explore(() -> {
            Rig rig = new Rig();
            Subscription closing = rig.subscribe();
            AtomicReference<Subscription> opening = new AtomicReference<>();
            together(closing::close, () -> opening.set(rig.subscribe()), rig.wire::answer);
            rig.requireWanted(opening.get());
        });
    }

    /** A subscription opens just when the linger of the channel ends. */
    @Test
    void subscribe_againstTheEndOfTheLinger() {
        explore(() -> {
            Rig rig = new Rig();
            Subscription closing = rig.subscribe();
            rig.wire.answer();
            closing.close();
            rig.linger();
            AtomicReference<Subscription> opening = new AtomicReference<>();
            together(
                    () -> {
                        rig.linger();
                        rig.wire.answer();
                    },
                    () -> opening.set(rig.subscribe()));
            rig.requireWanted(opening.get());
        });
    }

    /** A subscription opens and closes just then: the channel lingers anew, and is unsubscribed all the same. */
    @Test
    void closeAgain_againstTheEndOfTheLinger() {
        explore(() -> {
            Rig rig = new Rig();
            Subscription closing = rig.subscribe();
            rig.wire.answer();
            closing.close();
            rig.linger();
            together(rig::linger, () -> rig.subscribe().close());
            rig.requireUnwanted();
        });
    }

    /** The connection is lost and replaced while one subscription closes and another opens. */
    @Test
    void subscribe_againstReconnect() {
        explore(() -> {
            Rig rig = new Rig();
            Subscription closing = rig.subscribe();
            AtomicReference<Subscription> opening = new AtomicReference<>();
            together(
                    () -> {
                        rig.wire.answer();
                        rig.wire.lose();
                        rig.wire.connect();
                        rig.wire.answer();
                    },
                    () -> {
                        closing.close();
                        opening.set(rig.subscribe());
                    });
            rig.requireWanted(opening.get());
        });
    }
}
