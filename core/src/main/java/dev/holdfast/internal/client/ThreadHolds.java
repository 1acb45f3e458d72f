package dev.holdfast.internal.client;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The multi-locks that the calling thread holds. They are kept with the thread, since only that thread unlocks them; so
 * they end with it, and no lock object stores the state of a hold.
 */
final class ThreadHolds {
    private static final ThreadLocal<Deque<Entry>> HELD = ThreadLocal.withInitial(ArrayDeque::new);

    private ThreadHolds() {}

    /** One multi-lock that the thread has entered, and how often. */
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

    /** {@return the thread's hold of the same locks, the newest first; null if there is none} */
    static @Nullable Entry of(ClientMultiLock lock) {
        for (Entry entry : HELD.get()) {
            if (entry.lock.isSame(lock)) {
                return entry;
            }
        }
        forgetIfEmpty();
        return null;
    }

    /** {@return a different multi-lock of the thread that has one of the same locks; null if there is none} */
    static @Nullable ClientMultiLock overlapping(ClientMultiLock lock) {
        for (Entry entry : HELD.get()) {
            if (entry.lock.overlaps(lock)) {
                return entry.lock;
            }
        }
        forgetIfEmpty();
        return null;
    }

    static void add(Entry entry) {
        HELD.get().push(entry);
    }

    static void remove(Entry entry) {
        HELD.get().remove(entry);
        forgetIfEmpty();
    }

    private static void forgetIfEmpty() {
        if (HELD.get().isEmpty()) {
            HELD.remove();
        }
    }
}
