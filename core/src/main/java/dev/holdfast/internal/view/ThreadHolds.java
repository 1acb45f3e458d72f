package dev.holdfast.internal.view;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The multi-locks with locks of one client that threads have entered. They are kept with the client and not with the
 * thread: what a thread has never unlocked concerns no other client, and is reachable no longer than the client. A
 * multi-lock of several clients is kept with each of them.
 *
 * <p>Only the thread itself changes what it has. What a dead thread has left is removed by others, when there are twice
 * as many threads as after the last time.
 */
final class ThreadHolds {
    private static final int FEW = 16;

    private final Map<Thread, Deque<Entry>> held = new ConcurrentHashMap<>();

    /** Written by any thread that adds an entry; a lost update costs one more removal. */
    private volatile int most = FEW;

    /** One multi-lock that a thread has entered, and how often. */
    static final class Entry {
        private final ClientMultiLock lock;
        private final MultiHandle handle;
        private int levels = 1;

        Entry(ClientMultiLock lock, MultiHandle handle) {
            this.lock = lock;
            this.handle = handle;
        }

        MultiHandle handle() {
            return handle;
        }

        int levels() {
            return levels;
        }

        void enter() {
            levels++;
        }

        /** {@return whether the thread has left its first level} */
        boolean leave() {
            levels--;
            return levels == 0;
        }
    }

    private Iterable<Entry> ofThread() {
        return held.getOrDefault(Thread.currentThread(), new ArrayDeque<>(0));
    }

    /** {@return the calling thread's hold of the same locks of the same clients; null if there is none} */
    @Nullable
    Entry of(ClientMultiLock lock) {
        for (Entry entry : ofThread()) {
            if (entry.lock.isSame(lock)) {
                return entry;
            }
        }
        return null;
    }

    /** {@return a different multi-lock of the calling thread that has one of the same locks; null if there is none} */
    @Nullable
    ClientMultiLock overlapping(ClientMultiLock lock) {
        for (Entry entry : ofThread()) {
            if (entry.lock.overlaps(lock)) {
                return entry.lock;
            }
        }
        return null;
    }

    void add(Entry entry) {
        held.computeIfAbsent(Thread.currentThread(), none -> new ArrayDeque<>(1))
                .push(entry);
        if (held.size() > most) {
            most = Math.max(FEW, 2 * size());
        }
    }

    void remove(Entry entry) {
        Thread present = Thread.currentThread();
        Deque<Entry> own = held.get(present);
        if (own != null && own.remove(entry) && own.isEmpty()) {
            held.remove(present);
        }
    }

    /** {@return the number of threads that have entered any, without those that are dead, which are removed} */
    int size() {
        held.keySet().removeIf(thread -> !thread.isAlive());
        return held.size();
    }
}
