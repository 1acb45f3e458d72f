package dev.holdfast.internal.session;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Parks the calling thread until a condition holds, or a time has passed. The thread that makes the condition true
 * unparks it. A fork-join pool may run a spare thread in its place; if the pool has reached its maximum number of threads,
 * the thread parks all the same. An interrupt ends the wait only if it is to; the interrupt status is set again
 * afterwards.
 */
final class Parking implements ForkJoinPool.ManagedBlocker {
    private final BooleanSupplier over;
    private final long beganNanos = System.nanoTime();
    private final long longestNanos;
    private final boolean endsOnInterrupt;
    private boolean interrupted;

    private Parking(BooleanSupplier over, long longestNanos, boolean endsOnInterrupt) {
        this.over = over;
        this.longestNanos = longestNanos;
        this.endsOnInterrupt = endsOnInterrupt;
    }

    /** @param longestNanos how long to park at most; {@code Long.MAX_VALUE} for no limit */
    static void until(BooleanSupplier over, long longestNanos) {
        new Parking(over, longestNanos, false).park();
    }

    /** Parks until the condition holds or the thread is interrupted; the interrupt status is left set. */
    static void untilOrInterrupted(BooleanSupplier over) {
        new Parking(over, Long.MAX_VALUE, true).park();
    }

    private void park() {
        try {
            ForkJoinPool.managedBlock(this);
        } catch (InterruptedException e) {
            throw new IllegalStateException("to park does not throw for an interrupt", e);
        } catch (RejectedExecutionException e) {
            parkUnmanaged();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void parkUnmanaged() {
        while (!isReleasable()) {
            block();
        }
    }

    @Override
    public boolean block() {
        if (longestNanos == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, leftNanos());
        }
        interrupted |= Thread.interrupted();
        return isReleasable();
    }

    @Override
    public boolean isReleasable() {
        return over.getAsBoolean()
                || (longestNanos != Long.MAX_VALUE && leftNanos() <= 0)
                || (endsOnInterrupt && (interrupted || Thread.currentThread().isInterrupted()));
    }

    private long leftNanos() {
        return longestNanos - (System.nanoTime() - beganNanos);
    }
}
