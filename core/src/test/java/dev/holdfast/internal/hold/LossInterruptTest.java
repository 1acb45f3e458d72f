package dev.holdfast.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Patience;
import dev.holdfast.Worker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whether a thread is interrupted for a hold of its own, for every order of grant, loss and release. */
@Tag("pure")
final class LossInterruptTest {
    /** Counts its interrupts; is never started. */
    private static final class Owner extends Thread {
        int interrupts;

        @Override
        public void interrupt() {
            interrupts++;
        }
    }

    private final Owner owner = new Owner();
    private final LossInterrupt interrupt = new LossInterrupt(owner);

    /** The owner of a lost hold is interrupted, once. */
    @Test
    void lost_owned() {
        interrupt.accepted();
        assertThat(owner.interrupts).isZero();
        interrupt.lost();
        interrupt.lost();
        interrupt.cancel();
        interrupt.lost();
        assertThat(owner.interrupts).isEqualTo(1);
    }

    /**
     * If a hold is lost before its thread accepts it, the thread is interrupted when it accepts it, and not if it never
     * does.
     */
    @Test
    void lost_beforeItIsAccepted() {
        interrupt.lost();
        assertThat(owner.interrupts).isZero();
        interrupt.accepted();
        assertThat(owner.interrupts).isEqualTo(1);
    }

    /** A released hold interrupts no thread, whatever happens later. */
    @Test
    void cancelled_isFinal() {
        interrupt.accepted();
        interrupt.cancel();
        interrupt.lost();
        interrupt.accepted();
        interrupt.lost();
        assertThat(owner.interrupts).isZero();
    }

    /** A thread whose own action loses the hold does not interrupt itself. */
    @Test
    void lost_byTheOwner() {
        LossInterrupt mine = new LossInterrupt(Thread.currentThread());
        mine.accepted();
        mine.lost();
        assertThat(Thread.interrupted()).isFalse();
    }

    /** An interrupt that is in flight has arrived when the release returns to the thread. */
    @Test
    void cancel_waitsForTheInterrupt() throws Exception {
        SlowToInterrupt slow = new SlowToInterrupt();
        slow.start();
        Thread loser = new Thread(slow.interrupt::lost);
        loser.start();
        Patience.get(slow.interruptBegun);
        slow.releases.complete(null);
        Patience.await().until(() -> slow.getState() == Thread.State.BLOCKED || slow.releasedInterrupted.isDone());
        assertThat(slow.releasedInterrupted).isNotDone();
        slow.arrives.complete(null);
        assertThat(Patience.get(slow.releasedInterrupted)).isTrue();
        loser.join();
        slow.join();
    }

    /** Releases its hold on demand, and delays its interrupt until the test allows it. */
    private static final class SlowToInterrupt extends Thread {
        final LossInterrupt interrupt = new LossInterrupt(this);
        final CompletableFuture<@Nullable Void> interruptBegun = new CompletableFuture<>();
        final CompletableFuture<@Nullable Void> arrives = new CompletableFuture<>();
        final CompletableFuture<@Nullable Void> releases = new CompletableFuture<>();
        final CompletableFuture<Boolean> releasedInterrupted = new CompletableFuture<>();

        SlowToInterrupt() {
            interrupt.accepted();
        }

        @Override
        public void run() {
            Patience.get(releases);
            interrupt.cancel();
            releasedInterrupted.complete(Thread.interrupted());
        }

        @Override
        public void interrupt() {
            interruptBegun.complete(null);
            Patience.get(arrives);
            super.interrupt();
        }
    }

    /** However close loss and release are, a thread is interrupted before its release returns or not at all. */
    @Test
    void cancel_againstLost() throws Exception {
        int rounds = 20_000;
        CyclicBarrier start = new CyclicBarrier(2);
        CyclicBarrier end = new CyclicBarrier(2);
        LossInterrupt[] held = new LossInterrupt[1];
        int[] before = new int[1];
        int[] after = new int[1];
        try (Worker worker = new Worker()) {
            CompletableFuture<?> owning = worker.begins(() -> {
                for (int i = 0; i < rounds; i++) {
                    held[0] = new LossInterrupt(Thread.currentThread());
                    held[0].accepted();
                    start.await();
                    spin(i % 61);
                    held[0].cancel();
                    before[0] += Thread.interrupted() ? 1 : 0;
                    spin(200);
                    after[0] += Thread.interrupted() ? 1 : 0;
                    end.await();
                }
            });
            for (int i = 0; i < rounds; i++) {
                start.await();
                spin(i % 53);
                held[0].lost();
                end.await();
            }
            owning.join();
        }
        assertThat(after[0]).as("interrupted after the release").isZero();
        assertThat(before[0]).as("rounds that the loss won").isBetween(1, rounds - 1);
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }
}
