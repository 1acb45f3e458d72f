package dev.holdfast.pubsub;

import static dev.holdfast.interleavings.Interleavings.explore;
import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Interleavings.together;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * However releases, arrivals and departures fall among each other: a wake-up that was given out is with exactly one waiter
 * that stays, or stored. None is lost, none is there twice, and each waiter is settled at most once.
 */
class AsyncSemaphoreInterleavingTest {

    /** The first in line goes while it is being woken: the one behind it is woken, or it was and the one behind waits on. */
    @Test
    void release_againstLeave() {
        explore(() -> {
            AsyncSemaphore semaphore = new AsyncSemaphore();
            Waiter leaver = semaphore.acquire();
            Waiter stayer = semaphore.acquire();
            together(semaphore::release, () -> semaphore.leave(leaver));
            require(stayer.isDone(), "the wake-up went to the one who stayed");
            require(semaphore.drain() == 0 && semaphore.waiting() == 0, "and nothing is left");
        });
    }

    /** Both in line go while one wake-up is given out: it is stored. */
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

    /** One more comes, one goes, two wake-ups are given out: two are there. */
    @Test
    void release_againstAcquireAndLeave() {
        explore(() -> {
            AsyncSemaphore semaphore = new AsyncSemaphore();
            Waiter leaver = semaphore.acquire();
            AtomicReference<Waiter> comer = new AtomicReference<>();
            together(
                    () -> {
                        semaphore.release();
                        semaphore.release();
                    },
                    () -> comer.set(semaphore.acquire()),
                    () -> semaphore.leave(leaver));
            require(comer.get().isDone(), "who came was woken");
            require(semaphore.drain() == 1 && semaphore.waiting() == 0, "the other wake-up was stored");
        });
    }

    /** To leave twice at once is to leave once: the wake-up goes on to one, not to two. */
    @Test
    void leave_twice() {
        explore(() -> {
            AsyncSemaphore semaphore = new AsyncSemaphore();
            Waiter leaver = semaphore.acquire();
            List<Waiter> stayers = List.of(semaphore.acquire(), semaphore.acquire());
            semaphore.release();
            together(() -> semaphore.leave(leaver), () -> semaphore.leave(leaver));
            require(stayers.get(0).isDone() && !stayers.get(1).isDone(), "one was woken in its place");
        });
    }

    /** One goes and one comes while all are woken: who stays is told, by this or by what the one who went passed on. */
    @Test
    void wakeAll_againstLeaveAndAcquire() {
        explore(() -> {
            AsyncSemaphore semaphore = new AsyncSemaphore();
            Waiter leaver = semaphore.acquire();
            AtomicReference<Waiter> comer = new AtomicReference<>();
            together(semaphore::wakeAll, () -> semaphore.leave(leaver), () -> comer.set(semaphore.acquire()));
            require(comer.get().isDone(), "who came was told");
            require(semaphore.waiting() == 0, "nobody is in line");
        });
    }

    /** Nobody waits for ever at a semaphore that was closed. */
    @Test
    void close_againstAcquireAndRelease() {
        explore(() -> {
            AsyncSemaphore semaphore = new AsyncSemaphore();
            Waiter waiter = semaphore.acquire();
            AtomicReference<Waiter> comer = new AtomicReference<>();
            together(
                    () -> semaphore.close(new SubscriptionsClosedException()),
                    () -> comer.set(semaphore.acquire()),
                    semaphore::release);
            require(waiter.isDone() && comer.get().isDone(), "both were told");
            require(semaphore.waiting() == 0, "nobody is in line");
        });
    }
}
