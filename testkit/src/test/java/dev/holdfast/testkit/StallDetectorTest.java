package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** On a clock that the test sets. */
final class StallDetectorTest {
    private static final Duration SHORTEST = Duration.ofMillis(150);
    private static final long START = 1_000;
    private static final long LIMIT = START + StallDetector.SLEEP.plus(SHORTEST).toNanos();

    private final AtomicLong clock = new AtomicLong(START);
    private final CountDownLatch looked = new CountDownLatch(1);
    private final List<List<Long>> stalls = new CopyOnWriteArrayList<>();

    private long time() {
        long time = clock.get();
        looked.countDown();
        return time;
    }

    private StallDetector detector() {
        return new StallDetector(SHORTEST, (since, until) -> stalls.add(List.of(since, until)), this::time);
    }

    /** More time passed than the thread has slept. */
    @Test
    void clockAdvances_isReported() throws InterruptedException {
        StallDetector detector = detector();
        looked.await();
        clock.set(LIMIT + 1);
        Eventually.await().until(() -> !stalls.isEmpty());
        detector.close();
        assertThat(stalls).containsExactly(List.of(START, LIMIT + 1));
    }

    /** The thread may sleep a little longer; and the last look is at the end. */
    @Test
    void clockHardlyAdvances_isNotReported() throws InterruptedException {
        StallDetector detector = detector();
        looked.await();
        clock.set(LIMIT);
        detector.close();
        assertThat(stalls).isEmpty();
    }
}
