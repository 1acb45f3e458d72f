package dev.holdfast.benchmarks.worker;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Many calls, each of another owner, numbered from 1, and their outcomes. */
final class Batch {
    private final int size;
    private final CountDownLatch open;
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private volatile long lastDone;

    Batch(int size) {
        this.size = size;
        this.open = new CountDownLatch(size);
    }

    /** Begins all calls at once. */
    void begin(LongFunction<CompletionStage<?>> call) {
        for (long number = 1; number <= size; number++) {
            note(call.apply(number));
        }
    }

    /** Makes all calls, with at most this many in flight at a time, and returns when they have ended. */
    void run(LongFunction<CompletionStage<?>> call, int atATime) throws InterruptedException {
        Semaphore free = new Semaphore(atATime);
        for (long number = 1; number <= size; number++) {
            free.acquire();
            note(call.apply(number).whenComplete((value, why) -> free.release()));
        }
        open.await();
    }

    private void note(CompletionStage<?> call) {
        CompletionStage<?> noted = call.whenComplete((value, why) -> {
            if (why == null) {
                lastDone = System.nanoTime();
                done.incrementAndGet();
            } else {
                failure.compareAndSet(null, why);
                failed.incrementAndGet();
            }
            open.countDown();
        });
        if (noted == null) {
            throw new IllegalStateException("a call returned no future");
        }
    }

    /** Waits until all calls have ended, but no longer than this. */
    void await(long seconds) throws InterruptedException {
        boolean inTime = open.await(seconds, TimeUnit.SECONDS);
        if (!inTime) {
            failure.compareAndSet(
                    null, new IllegalStateException(open.getCount() + " had not ended " + seconds + " s later"));
        }
    }

    /** {@return how many calls have ended} */
    long ended() {
        return size - open.getCount();
    }

    /** {@return the outcomes; a call that has not ended counts as failed} */
    Marks marks(long heapBytes, long timers) {
        Throwable why = failure.get();
        return new Marks(
                lastDone,
                done.get(),
                failed.get() + open.getCount(),
                why == null ? "" : String.valueOf(why.getMessage()),
                heapBytes,
                timers);
    }
}
