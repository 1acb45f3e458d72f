package dev.holdfast.internal.redis;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The calls of an epoch in the order they were sent: a queue whose links are in the calls themselves, so that nothing
 * is allocated for a call to be in it.
 *
 * <pre>
 *    settled --> in flight --> in flight --> ... --> in flight
 *       ^                                                ^
 *      head                                             tail
 * </pre>
 *
 * <p>Calls are added by any thread: the new call becomes the tail, and the former tail is then linked to it. In
 * between, the calls from there on cannot be reached; after linking, the adding thread must check whether it missed
 * anything. The head, which is a settled call or the initial empty one, advances by compare-and-set as calls are
 * settled. A call that it has passed is linked to itself: a thread that is still there restarts from the head, and the
 * garbage collector need not follow a chain of old calls into young ones.
 *
 * @see "EpochTest, MispairedAnswerTest"
 */
final class InFlight {
    private static final VarHandle HEAD;
    private static final VarHandle TAIL;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HEAD = lookup.findVarHandle(InFlight.class, "head", Call.class);
            TAIL = lookup.findVarHandle(InFlight.class, "tail", Call.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile Call head;

    @SuppressWarnings("unused")
    private volatile Call tail;

    /** @param none the initial head: a call that is settled, or never sent */
    InFlight(Call none) {
        head = none;
        tail = none;
    }

    void add(Call call) {
        Call before = (Call) TAIL.getAndSet(this, call);
        before.next = call;
    }

    /** {@return the first call that is not settled, or null if none is reachable} */
    @Nullable
    Call oldest() {
        Call at = head;
        while (true) {
            Call next = at.next;
            if (next == null || (next != at && !next.isSettled())) {
                return next;
            }
            at = next == at ? head : next;
        }
    }

    /** Advances the head past the settled calls. */
    void passSettled() {
        Call first = head;
        Call next = first.next;
        while (next != null && next != first && next.isSettled()) {
            if (HEAD.compareAndSet(this, first, next)) {
                first.next = first;
            }
            first = head;
            next = first.next;
        }
    }

    /** {@return the number of calls that are not settled; exact if none is added or settled at the same time} */
    int size() {
        int size = 0;
        Call at = head;
        for (Call next = at.next; next != null; next = at.next) {
            if (next == at) {
                at = head;
                size = 0;
            } else {
                at = next;
                size += next.isSettled() ? 0 : 1;
            }
        }
        return size;
    }
}
