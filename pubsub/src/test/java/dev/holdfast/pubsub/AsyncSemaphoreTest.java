package dev.holdfast.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
class AsyncSemaphoreTest {
    private final AsyncSemaphore semaphore = new AsyncSemaphore();

    /** A permit goes to the longest waiter. */
    @Test
    void release_wakesInOrderOfArrival() {
        Waiter first = semaphore.acquire();
        Waiter second = semaphore.acquire();

        semaphore.release();
        assertThat(first).isCompletedWithValue(Wakeup.PERMIT);
        assertThat(second).isNotDone();

        semaphore.release();
        assertThat(second).isCompletedWithValue(Wakeup.PERMIT);
        assertThat(semaphore.waiting()).isZero();
    }

    /** A permit that is released before the wait completes the wait at once, and once. */
    @Test
    void acquire_afterRelease_isWokenAtOnce() {
        semaphore.release();

        assertThat(semaphore.acquire()).isCompletedWithValue(Wakeup.PERMIT);
        assertThat(semaphore.acquire()).isNotDone();
    }

    /** Stored permits are limited, and a drain removes them all. */
    @Test
    void drain_takesWhatIsStored_whichIsBounded() {
        for (int i = 0; i < 10 * AsyncSemaphore.MOST_STORED; i++) {
            semaphore.release();
        }

        assertThat(semaphore.drain()).isEqualTo(AsyncSemaphore.MOST_STORED);
        assertThat(semaphore.drain()).isZero();
        assertThat(semaphore.acquire()).isNotDone();
    }

    /** A waiter that leaves the middle of the queue takes no permit. */
    @Test
    void leave_inTime_takesNoPermit() {
        Waiter first = semaphore.acquire();
        Waiter leaver = semaphore.acquire();
        Waiter last = semaphore.acquire();

        semaphore.leave(leaver);
        semaphore.release();
        semaphore.release();

        assertThat(leaver).isCompletedWithValue(null);
        assertThat(first).isCompletedWithValue(Wakeup.PERMIT);
        assertThat(last).isCompletedWithValue(Wakeup.PERMIT);
        assertThat(semaphore.drain()).isZero();
    }

    /** A waiter that leaves after its wake-up passes the permit on to the next one. */
    @Test
    void leave_afterWakeup_passesThePermitOn() {
        Waiter leaver = semaphore.acquire();
        Waiter next = semaphore.acquire();
        semaphore.release();

        semaphore.leave(leaver);

        assertThat(next).isCompletedWithValue(Wakeup.PERMIT);
    }

    /** If there is no waiter to pass it on to, the permit is stored for the next one; leaving again adds none. */
    @Test
    void leave_twice_passesThePermitOnOnce() {
        Waiter leaver = semaphore.acquire();
        semaphore.release();

        semaphore.leave(leaver);
        semaphore.leave(leaver);

        assertThat(semaphore.drain()).isEqualTo(1);
    }

    /** A waiter that was woken with all others passes its wake-up on too: another may have joined the queue since. */
    @Test
    void leave_afterWakeAll_wakesALateComer() {
        Waiter leaver = semaphore.acquire();
        semaphore.wakeAll();
        Waiter late = semaphore.acquire();

        semaphore.leave(leaver);

        assertThat(late).isCompletedWithValue(Wakeup.PERMIT);
    }

    /** A waiter cancelled by its owner is skipped. */
    @Test
    void release_skipsTheCancelled() {
        Waiter cancelled = semaphore.acquire();
        Waiter next = semaphore.acquire();
        cancelled.cancel(false);

        semaphore.release();

        assertThat(next).isCompletedWithValue(Wakeup.PERMIT);
    }

    /** Every waiter is woken, and no permit is stored in addition. */
    @Test
    void wakeAll_wakesAllWaiters() {
        List<Waiter> line = List.of(semaphore.acquire(), semaphore.acquire(), semaphore.acquire());

        semaphore.wakeAll();

        assertThat(line).allSatisfy(waiter -> assertThat(waiter).isCompletedWithValue(Wakeup.ALL));
        assertThat(semaphore.waiting()).isZero();
        assertThat(semaphore.drain()).isZero();
    }

    /** A caller that is between its attempt and its wait when all are woken is woken too. */
    @Test
    void wakeAll_withoutWaiters_isStoredForTheNext() {
        semaphore.wakeAll();

        assertThat(semaphore.acquire()).isCompletedWithValue(Wakeup.PERMIT);
    }

    /** A continuation of a waiter may use the semaphore: it runs neither under its lock nor too late to be next. */
    @Test
    void release_continuationJoinsTheLineAgain() {
        List<Waiter> again = new ArrayList<>();
        semaphore.acquire().onWakeup((wakeup, failure) -> again.add(semaphore.acquire()));

        semaphore.release();
        semaphore.release();

        assertThat(again).singleElement().satisfies(waiter -> assertThat(waiter).isCompletedWithValue(Wakeup.PERMIT));
    }

    /** A continuation that throws affects neither the releaser nor the next waiter. */
    @Test
    void release_continuationThrows_isNotTheReleasersProblem() {
        semaphore.acquire().onWakeup((wakeup, failure) -> {
            throw new IllegalStateException("thrown on purpose");
        });
        Waiter next = semaphore.acquire();

        semaphore.release();
        semaphore.release();

        assertThat(next).isCompletedWithValue(Wakeup.PERMIT);
    }

    /** A continuation of a waiter that left before its wake-up does not run. */
    @Test
    void onWakeup_afterLeave_isNotCalled() {
        List<Object> calls = new ArrayList<>();
        Waiter waiter = semaphore.acquire();
        waiter.onWakeup((wakeup, failure) -> calls.add(this));

        semaphore.leave(waiter);
        semaphore.release();

        assertThat(calls).isEmpty();
    }

    /** Closing fails present and future waiters, with the reason. */
    @Test
    void close_failsAllWaiters() {
        RuntimeException reason = new SubscriptionsClosedException();
        Waiter before = semaphore.acquire();

        semaphore.close(reason);

        assertThatThrownBy(before::get).isInstanceOf(ExecutionException.class).hasCause(reason);
        assertThatThrownBy(semaphore.acquire()::get)
                .isInstanceOf(ExecutionException.class)
                .hasCause(reason);
        semaphore.leave(before);
        assertThat(semaphore.drain()).isZero();
    }
}
