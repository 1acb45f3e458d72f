package dev.holdfast.examples.shop;

import dev.holdfast.examples.shop.Outcome.Accident;
import dev.holdfast.examples.shop.Outcome.End;
import dev.holdfast.examples.shop.Outcome.Failover;
import dev.holdfast.examples.shop.Outcome.LongSale;
import dev.holdfast.examples.shop.Outcome.SellerOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run as the parent derives it from the messages of its processes. Lines of two processes may be read in
 * another order than they were written in. So the next holder after a killed one is recognized by the stock that it
 * read, not by the order in which messages arrive.
 *
 * <p>Safe for use by the threads that read messages; all mutable state is guarded by this object.
 */
final class Observations {
    private static final Duration NOTEWORTHY = Duration.ofMillis(500);

    private final Plan plan;
    private final CountDownLatch notReady;
    private final List<Notes> processes;

    private int killed;
    private long killedNanos;
    private @Nullable Duration stayed;

    private int longSeller;
    private long longSaleNanos;
    private long longSaleRenewals;
    private @Nullable LongSale longSale;

    private long failoverNanos;
    private long lastAcquiredNanos;
    private Duration stoodStill = Duration.ZERO;

    private boolean ended;
    private long endNanos;

    Observations(Plan plan) {
        this.plan = plan;
        this.notReady = new CountDownLatch(plan.processes());
        this.processes =
                IntStream.range(0, plan.processes()).mapToObj(i -> new Notes()).toList();
    }

    /** The record of one process; processes are numbered from 1. */
    private static final class Notes {
        final List<Duration> waits = new ArrayList<>();
        Message.@Nullable Done done;

        @Nullable
        String failure;
    }

    CountDownLatch notReady() {
        return notReady;
    }

    /** The process holds the lock, and is about to be killed. */
    synchronized void killing(int process) {
        killed = process;
        killedNanos = System.nanoTime();
    }

    /** The master of the lock is about to be killed. */
    synchronized void killingMaster() {
        failoverNanos = System.nanoTime();
        lastAcquiredNanos = failoverNanos;
    }

    synchronized void received(int process, Message message) {
        Notes notes = processes.get(process - 1);
        if (message instanceof Message.Ready) {
            notReady.countDown();
        } else if (message instanceof Message.Acquired acquired) {
            notes.waits.add(acquired.waited());
            noteEndOfStay(process, acquired.stock());
            noteStandstill();
        } else if (message instanceof Message.LongSaleBegun) {
            longSeller = process;
            longSaleNanos = System.nanoTime();
        } else if (message instanceof Message.Renewed) {
            longSaleRenewals += process == longSeller ? 1 : 0;
        } else if (message instanceof Message.LongSaleEnded ended) {
            longSale = new LongSale(process, ended.held(), ended.renewals(), ended.kept());
        } else if (message instanceof Message.Done done) {
            notes.done = done;
            ended = true;
            endNanos = System.nanoTime();
        } else if (message instanceof Message.Failed failed) {
            notes.failure = failed.reason();
        }
    }

    private void noteStandstill() {
        if (failoverNanos != 0) {
            long now = System.nanoTime();
            Duration gap = Duration.ofNanos(now - lastAcquiredNanos);
            stoodStill = gap.compareTo(stoodStill) > 0 ? gap : stoodStill;
            lastAcquiredNanos = now;
        }
    }

    private void noteEndOfStay(int process, int stock) {
        if (killed != 0 && process != killed && stock == plan.accidentItem() && stayed == null) {
            stayed = Duration.ofNanos(System.nanoTime() - killedNanos);
        }
    }

    /** {@return the incident in progress, or an empty text if there is none} */
    synchronized String headline() {
        long now = System.nanoTime();
        if (killed != 0 && stayed == null) {
            return "process " + killed + " was killed while it held the lock, "
                    + Text.seconds(Duration.ofNanos(now - killedNanos)) + " ago; its lease runs out";
        } else if (longSeller != 0 && longSale == null) {
            return "long sale of process " + longSeller + ", for "
                    + Text.seconds(Duration.ofNanos(now - longSaleNanos)) + " now; lease renewed "
                    + Text.times(longSaleRenewals);
        }
        Duration idle = Duration.ofNanos(now - lastAcquiredNanos);
        if (failoverNanos != 0 && idle.compareTo(NOTEWORTHY) > 0) {
            return "the master of the lock was killed; nothing was sold for " + Text.seconds(idle);
        }
        return "";
    }

    /** {@return when the last sellers to do so have ended; empty if none have} */
    synchronized OptionalLong endNanos() {
        return ended ? OptionalLong.of(endNanos) : OptionalLong.empty();
    }

    synchronized Optional<Accident> accident() {
        return killed == 0 ? Optional.empty() : Optional.of(new Accident(killed, Optional.ofNullable(stayed)));
    }

    synchronized Optional<LongSale> longSale() {
        return Optional.ofNullable(longSale);
    }

    synchronized Optional<Failover> failover() {
        return failoverNanos == 0 ? Optional.empty() : Optional.of(new Failover(stoodStill));
    }

    synchronized List<SellerOutcome> sellers() {
        return IntStream.rangeClosed(1, processes.size()).mapToObj(this::seller).toList();
    }

    private SellerOutcome seller(int process) {
        Notes notes = processes.get(process - 1);
        Message.Done done = notes.done;
        Waits waits = Waits.of(notes.waits);
        if (process == killed) {
            return new SellerOutcome(process, waits, 0, 0, End.KILLED, "");
        } else if (done == null) {
            String failure = notes.failure == null ? "it ended early, or exceeded the time limit" : notes.failure;
            return new SellerOutcome(process, waits, 0, 0, End.FAILED, failure);
        }
        String failure = notes.failure;
        End end = failure == null ? End.FINISHED : End.FAILED;
        return new SellerOutcome(process, waits, done.renewals(), done.lost(), end, failure == null ? "" : failure);
    }
}
