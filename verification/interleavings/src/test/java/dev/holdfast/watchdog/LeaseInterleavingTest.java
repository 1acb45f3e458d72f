package dev.holdfast.watchdog;

import static dev.holdfast.interleavings.Interleavings.explore;
import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Interleavings.together;

import dev.holdfast.testkit.ManualTimer;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The end of a lease in any order with replies, policy changes and the timer: a lease that has ended is not renewed
 * again, nothing of it stays scheduled, and it was either ended or reported lost, once.
 */
class LeaseInterleavingTest {
    private static final Duration RENEWAL = Duration.ofMillis(100);
    private static final Duration WATCHDOG = Duration.ofMillis(300);

    /** A keeper with a store whose replies the scenario triggers, and the holder of a lease. */
    private static final class Rig implements LeaseStore<Rig>, LeaseSubject {
        final ManualTimer clock = new ManualTimer();
        final Deadlines deadlines = new Deadlines(clock, clock::nanoTime, Deadlines.DEFAULT_TICK);
        final LeaseKeeper<Rig> keeper = new LeaseKeeper<>(
                deadlines,
                () -> clock.nanoTime() / 1_000_000,
                LeaseTerms.of(WATCHDOG).withDriftAllowance(Duration.ZERO),
                this);
        final Queue<CompletableFuture<List<RenewalOutcome>>> requests = new ConcurrentLinkedQueue<>();
        final AtomicInteger requestCount = new AtomicInteger();
        final AtomicInteger losses = new AtomicInteger();

        KeptLease watched() {
            return keeper.keep(this, clock.nanoTime(), WATCHDOG.toNanos(), true);
        }

        KeptLease unwatched(Duration lease) {
            return keeper.keep(this, clock.nanoTime(), lease.toNanos(), false);
        }

        void answer(RenewalOutcome outcome) {
            for (CompletableFuture<List<RenewalOutcome>> next = requests.poll(); next != null; next = requests.poll()) {
                next.complete(Collections.nCopies(1, outcome));
            }
        }

        /** Requires that nothing more happens to the lease, however much time passes and whichever replies arrive. */
        void requireOver() {
            require(keeper.size() == 0, "no lease is kept");
            require(deadlines.pending() == 0, "no deadline is scheduled");
            int before = requestCount.get();
            int lost = losses.get();
            clock.advance(WATCHDOG);
            answer(RenewalOutcome.LOST);
            clock.advance(WATCHDOG);
            require(requestCount.get() == before, "a lease that has ended is neither renewed nor verified");
            require(losses.get() == lost, "a lease that has ended is not reported lost again");
        }

        @Override
        public CompletionStage<List<RenewalOutcome>> renew(List<Rig> batch) {
            CompletableFuture<List<RenewalOutcome>> answer = new CompletableFuture<>();
            requestCount.incrementAndGet();
            requests.add(answer);
            return answer;
        }

        @Override
        public CompletionStage<List<RenewalOutcome>> verify(List<Rig> batch) {
            return renew(batch);
        }

        @Override
        public void lost(LossCause loss) {
            losses.incrementAndGet();
        }

        @Override
        public void renewed() {}

        @Override
        public void atRisk(long remainingNanos) {}

        @Override
        public void abandoned(long remainingNanos) {}

        @Override
        public boolean isAbandoned() {
            return false;
        }
    }

    /** A lease is released while its renewal falls due: at most one request is sent for it, and none afterwards. */
    @Test
    void end_againstTheTimer() {
        explore(() -> {
            Rig rig = new Rig();
            KeptLease lease = rig.watched();
            AtomicBoolean ended = new AtomicBoolean();
            together(() -> rig.clock.advance(RENEWAL), () -> ended.set(lease.end()));
            require(ended.get() && rig.losses.get() == 0, "the lease was ended and not lost");
            rig.requireOver();
        });
    }

    /** A lease is released while a renewal of it is answered. */
    @Test
    void end_againstAnAnswer() {
        explore(() -> {
            Rig rig = new Rig();
            KeptLease lease = rig.watched();
            rig.clock.advance(RENEWAL);
            require(rig.requestCount.get() == 1, "a renewal is in flight");
            together(() -> rig.answer(RenewalOutcome.RENEWED), lease::end, () -> rig.clock.advance(RENEWAL));
            require(rig.losses.get() == 0, "the lease was not lost");
            rig.requireOver();
        });
    }

    /** A lease is released while another command of its owner confirms it and changes the policy. */
    @Test
    void end_againstConfirmedAndWatch() {
        explore(() -> {
            Rig rig = new Rig();
            KeptLease lease = rig.unwatched(RENEWAL);
            together(
                    lease::end,
                    () -> lease.confirmed(rig.clock.nanoTime(), WATCHDOG.toNanos()),
                    () -> lease.watch(true));
            require(rig.losses.get() == 0, "the lease was not lost");
            rig.requireOver();
        });
    }

    /** Of an end, a loss that the owner detected and one that the store reports, one happens and is notified once. */
    @Test
    void endOrLoss_exactlyOne() {
        explore(() -> {
            Rig rig = new Rig();
            KeptLease lease = rig.watched();
            rig.clock.advance(RENEWAL);
            AtomicBoolean ended = new AtomicBoolean();
            AtomicBoolean lost = new AtomicBoolean();
            together(() -> ended.set(lease.end()), () -> lost.set(lease.lose()), () -> rig.answer(RenewalOutcome.LOST));
            require(!(ended.get() && lost.get()), "the lease is not both ended and lost");
            require(rig.losses.get() == (ended.get() ? 0 : 1), "the lease is lost exactly if it was not ended");
            rig.requireOver();
        });
    }

    /** Two leases with one deadline: the end of one does not affect the renewal of the other. */
    @Test
    void end_leavesTheOthersRenewed() {
        explore(() -> {
            Rig rig = new Rig();
            KeptLease ending = rig.watched();
            KeptLease stays = rig.watched();
            together(ending::end, () -> rig.clock.advance(RENEWAL));
            rig.answer(RenewalOutcome.RENEWED);
            for (int i = 0; i < 4; i++) {
                rig.clock.advance(RENEWAL);
                rig.answer(RenewalOutcome.RENEWED);
            }
            require(stays.isValid() && rig.losses.get() == 0, "the other lease is still renewed");
            stays.end();
            rig.requireOver();
        });
    }

    /** A lease that begins while the last one ends is renewed like any other. */
    @Test
    void keep_againstTheEndOfTheLast() {
        explore(() -> {
            Rig rig = new Rig();
            KeptLease ending = rig.watched();
            KeptLease[] beginning = new KeptLease[1];
            together(ending::end, () -> beginning[0] = rig.watched());
            rig.clock.advance(RENEWAL);
            require(rig.requestCount.get() == 1, "the lease is renewed");
            beginning[0].end();
            rig.requireOver();
        });
    }
}
