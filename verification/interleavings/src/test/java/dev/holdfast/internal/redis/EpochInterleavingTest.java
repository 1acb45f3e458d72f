package dev.holdfast.internal.redis;

import static dev.holdfast.interleavings.Interleavings.explore;
import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Interleavings.together;

import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Calls are sent in an epoch, in any order, while they are written and while it ends: each is written at most once,
 * those of one thread in the order they were sent; and each is completed exactly once.
 */
class EpochInterleavingTest {

    /** An epoch over a channel that records what is written. */
    private static final class Rig {
        final WrittenChannel channel = new WrittenChannel();
        final Epoch epoch = new Epoch(1, channel.asChannel(), Routing.NONE, (ended, why) -> {});

        Call call(AtomicInteger completed) {
            return Call.of(CommandType.PING, call -> completed.incrementAndGet());
        }
    }

    /** One thread at a time writes the queued calls, in order, and none stays in the queue. */
    @Test
    void send_againstSendAndTheWriter() {
        explore(() -> {
            Rig rig = new Rig();
            AtomicInteger completed = new AtomicInteger();
            Call first = rig.call(completed);
            Call second = rig.call(completed);
            Call other = rig.call(completed);
            together(
                    () -> {
                        rig.epoch.send(first, 0);
                        rig.epoch.send(second, 0);
                    },
                    () -> rig.epoch.send(other, 0),
                    rig.channel::runTask);
            rig.channel.runAllTasks();
            rig.channel.requireWritten(first, second);
            rig.channel.requireWritten(other);
            require(rig.channel.written() == 3, "each call was written once");
            require(completed.get() == 0 && rig.epoch.inFlight() == 3, "all calls are in flight");
        });
    }

    /** The connection ends while calls are sent: no call waits for a reply that cannot come. */
    @Test
    void send_againstTheEnd() {
        explore(() -> {
            Rig rig = new Rig();
            AtomicInteger one = new AtomicInteger();
            AtomicInteger other = new AtomicInteger();
            together(
                    () -> rig.epoch.send(rig.call(one), 0),
                    () -> rig.epoch.send(rig.call(other), 0),
                    () -> rig.epoch.end(new IOException("the connection was lost")));
            rig.channel.runAllTasks();
            require(one.get() == 1 && other.get() == 1, "each call was completed once");
            require(rig.epoch.inFlight() == 0, "nothing is in flight");
            require(rig.channel.written() == 0, "a call that has ended is not written");
        });
    }

    /** A reply arrives while the connection ends: one of the two completes the call. */
    @Test
    void answer_againstTheEnd() {
        explore(() -> {
            Rig rig = new Rig();
            AtomicInteger first = new AtomicInteger();
            AtomicInteger second = new AtomicInteger();
            Call answered = rig.call(first);
            rig.epoch.send(answered, 0);
            rig.epoch.send(rig.call(second), 0);
            together(
                    () -> answered.complete(Call.Outcome.ANSWERED, null),
                    () -> rig.epoch.end(new IOException("the connection was lost")));
            require(first.get() == 1 && second.get() == 1, "each call was completed once");
            require(rig.epoch.inFlight() == 0, "nothing is in flight");
        });
    }
}
