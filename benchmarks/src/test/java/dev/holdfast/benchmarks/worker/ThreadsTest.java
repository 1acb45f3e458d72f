package dev.holdfast.benchmarks.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.benchmarks.system.BlockingLock;
import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Threads whose calls fail. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ThreadsTest {
    private static final int FAILURES = 3;

    /** Failures that belong to the workload are counted, and the thread continues. */
    @Test
    void failure_tryAgain_isCountedAndTheThreadContinues(@TempDir Path directory) throws Exception {
        Failing client = new Failing();
        Contest contest = contest(client, Threads.OnFailure.TRY_AGAIN, directory);

        contest.start();
        client.acquired.await();
        Tally tally = contest.stop();

        assertThat(tally.marks().failed()).isEqualTo(FAILURES);
        assertThat(tally.ever()).isPositive();
    }

    /** Any other failure fails the measurement. */
    @Test
    void failure_stop_failsTheMeasurement(@TempDir Path directory) throws Exception {
        Failing client = new Failing();
        Contest contest = contest(client, Threads.OnFailure.STOP, directory);

        contest.start();
        client.called.await();

        assertThatThrownBy(contest::stop)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no connection");
    }

    private static Contest contest(LockClient client, Threads.OnFailure onFailure, Path directory) {
        Threads task = new Threads(
                LockSystem.HOLDFAST, 1, Threads.Names.SHARED, Duration.ofMillis(1), false, false, onFailure);
        Arena arena = new Arena(List.of(), directory.toString(), 0, Duration.ofSeconds(30));
        return new Threads.Running(task, arena, List.of(client));
    }

    /** A client whose first calls fail. */
    private static final class Failing implements LockClient {
        private final AtomicInteger calls = new AtomicInteger();
        private final CountDownLatch called = new CountDownLatch(1);
        private final CountDownLatch acquired = new CountDownLatch(1);

        @Override
        public BlockingLock lock(String name) {
            return new BlockingLock() {
                @Override
                public void lock() {
                    called.countDown();
                    if (calls.incrementAndGet() <= FAILURES) {
                        throw new IllegalStateException("no connection");
                    }
                    acquired.countDown();
                }

                @Override
                public void unlock() {}
            };
        }

        @Override
        public void close() {}
    }
}
