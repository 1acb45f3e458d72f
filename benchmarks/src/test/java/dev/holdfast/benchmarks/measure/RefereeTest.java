package dev.holdfast.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.benchmarks.system.BlockingLock;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The check of exclusion must detect violations. */
class RefereeTest {
    private static final int ROUNDS = 20_000;

    /** Two contenders one after the other are no violation. */
    @Test
    void enter_oneAfterTheOther_isNoViolation() {
        Referee referee = Referee.local();

        referee.enter(1);
        referee.leave(1);
        referee.enter(2);
        referee.leave(2);

        assertThat(referee.violations()).isZero();
    }

    /** Two contenders inside at once are detected when the second one enters. */
    @Test
    void enter_whileAnotherIsInside_isAViolation() {
        Referee referee = Referee.local();

        referee.enter(1);
        referee.enter(2);

        assertThat(referee.violations()).isEqualTo(1);
    }

    /** Processes that map one file share the check. */
    @Test
    void enter_whileAnotherIsInsideByAnotherMapping_isAViolation(@TempDir Path directory) {
        Referee here = Referee.shared(directory.resolve("referee"));
        Referee there = Referee.shared(directory.resolve("referee"));

        here.enter(1);
        there.enter(2);

        assertThat(here.violations()).isEqualTo(1);
    }

    /** Readers may be inside together, and a writer after them. */
    @Test
    void enterToRead_together_isNoViolation() {
        Referee referee = Referee.local();

        referee.enterToRead();
        referee.enterToRead();
        referee.leaveAsReader();
        referee.leaveAsReader();
        referee.enterToWrite(1);
        referee.leave(1);

        assertThat(referee.violations()).isZero();
    }

    /** A writer that enters while another contender reads is a violation, and so is the other way round. */
    @Test
    void enter_readerBesideWriter_isAViolation() {
        Referee first = Referee.local();
        first.enterToRead();
        first.enterToWrite(1);
        Referee second = Referee.local();
        second.enterToWrite(1);
        second.enterToRead();

        assertThat(first.violations()).isEqualTo(1);
        assertThat(second.violations()).isEqualTo(1);
    }

    /** Permits in use are a violation when they are more than there are. */
    @Test
    void enterWith_moreThanTheLimit_isAViolation() {
        Referee referee = Referee.local();

        referee.enterWith(3, 4);
        referee.enterWith(1, 4);
        referee.leaveWith(3);
        referee.enterWith(3, 4);
        assertThat(referee.violations()).isZero();

        referee.enterWith(1, 4);
        assertThat(referee.violations()).isEqualTo(1);
    }

    /** Under a correct lock, threads at full speed cause no violation. */
    @Test
    void violations_underALock_areNone() {
        assertThat(violationsUnder(BlockingLock.of(new ReentrantLock()))).isZero();
    }

    /** Under a lock that never excludes, they do. */
    @Test
    void violations_underABrokenLock_areSeen() {
        assertThat(violationsUnder(new NeverExcludes())).isPositive();
    }

    private static long violationsUnder(BlockingLock lock) {
        Referee referee = Referee.local();
        CyclicBarrier start = new CyclicBarrier(2);
        CompletableFuture<?>[] threads = new CompletableFuture<?>[2];
        for (int i = 0; i < threads.length; i++) {
            int contender = i + 1;
            threads[i] = CompletableFuture.runAsync(
                    () -> {
                        await(start);
                        for (int round = 0; round < ROUNDS; round++) {
                            lock.lock();
                            referee.enter(contender);
                            if (round % 1_000 == 0) {
                                LockSupport.parkNanos(1_000);
                            }
                            referee.leave(contender);
                            lock.unlock();
                        }
                    },
                    task -> new Thread(task).start());
        }
        CompletableFuture.allOf(threads).join();
        return referee.violations();
    }

    private static void await(CyclicBarrier start) {
        try {
            start.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** A lock that never excludes. */
    private static final class NeverExcludes implements BlockingLock {
        @Override
        public void lock() {
            // Granted without a check.
        }

        @Override
        public void unlock() {
            // There is no state to release.
        }
    }
}
