package dev.holdfast.pubsub;

import static dev.holdfast.interleavings.Interleavings.explore;
import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Interleavings.together;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Releases, arrivals and departures in any order: a wake-up that was granted belongs to exactly one waiter that stays,
 * or is stored. None is lost, none is duplicated, and each waiter is completed at most once.
 */
class AsyncSemaphoreInterleavingTest {

    /**
     * The first waiter leaves while it is being woken: the one behind it is woken, or the first was woken and the one
     * behind it still waits.
     */
    @Test
    void release_againstLeave() {
        explore(() -> {
            AsyncSemaphore semaphore = new AsyncSemaphore();
            Waiter leaver = semaphore.acquire();
            Waiter stayer = semaphore.acquire();
            together(semaphore::release, () -> semaphore.leave(leaver));
            require(stayer.isDone(), "the wake-up went to the waiter that stayed");
            require(semaphore.drain() == 0 && semaphore.waiting() == 0, "nothing is left");
        });
    }

    /** Both waiters leave while one wake-up is granted: it is stored. */
    @Test
    void release_againstTwoLeaves() {
        explore(() -> {
            AsyncSemaphore semaphore = new AsyncSemaphore();
            Waiter first = semaphore.acquire();
            Waiter second = semaphore.acquire();
            together(semaphore::release, () -> semaphore.leave(first), () -> semaphore.leave(second));
            require(semaphore.drain() == 1 && semaphore.waiting() == 0, "the wake-up was stored, once");
        });
    }

    /** One waiter arrives, one leaves, two wake-ups are granted: both are accounted for. */
    @Test
    void release_againstAcquireAndLeave() {
        explore(() -> {
            AsyncSemaphore semaphore = new AsyncSemaphore();
            Waiter leaver = semaphore.acquire();
            AtomicReference<Waiter> newcomer = new AtomicReference<>();
            together(
                    () -> {
                        semaphore.release();
                        semaphore.release();
                    },
                    () -> newcomer.set(semaphore.acquire()),
                    () -> semaphore.leave(leaver));
            require(newcomer.get().isDone(), "the waiter that arrived was woken");
            require(semaphore.drain() == 1 && semaphore.waiting() == 0, "the other wake-up was stored");
        });
    }

    /** Leaving twice concurrently counts once: the wake-up is passed on to one waiter, not to two. */
    @Test
    void leave_twice() {
        explore(() -> {
            AsyncSemaphore semaphore = new AsyncSemaphore();
            Waiter leaver = semaphore.acquire();
            List<Waiter> stayers = List.of(semaphore.acquire(), semaphore.acquire());
            semaphore.release();
            together(() -> semaphore.leave(leaver), () -> semaphore.leave(leaver));
            require(stayers.get(0).isDone() && !stayers.get(1).isDone(), "one waiter was woken in place of the leaver");
        });
    }

    /**
     * One waiter leaves and one arrives while all are woken: the one that stays is woken, by this or by the wake-up
     * that the leaver passed on.
     */
    @Test
    void wakeAll_againstLeaveAndAcquire() {
        explore(() -> {
            AsyncSemaphore semaphore = new AsyncSemaphore();
            Waiter leaver = semaphore.acquire();
            AtomicReference<Waiter> newcomer = new AtomicReference<>();
            together(semaphore::wakeAll, () -> semaphore.leave(leaver), () -> newcomer.set(semaphore.acquire()));
            require(newcomer.get().isDone(), "the waiter that arrived was woken");
            require(semaphore.waiting() == 0, "the line is empty");
        });
    }

    /** No waiter waits for ever at a semaphore that was closed. */
    @Test
    void close_againstAcquireAndRelease() {
        explore(() -> {
            AsyncSemaphore semaphore = new AsyncSemaphore();
            Waiter waiter = semaphore.acquire();
            AtomicReference<Waiter> newcomer = new AtomicReference<>();
            together(
                    () -> semaphore.close(new SubscriptionsClosedException()),
                    () -> newcomer.set(semaphore.acquire()),
                    semaphore::release);
            require(waiter.isDone() && newcomer.get().isDone(), "both waiters were completed");
            require(semaphore.waiting() == 0, "the line is empty");
        });
    }
}
