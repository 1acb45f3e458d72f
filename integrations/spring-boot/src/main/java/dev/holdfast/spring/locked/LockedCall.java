package dev.holdfast.spring.locked;

import java.util.List;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * A call of a method under a lock, or with permits.
 *
 * @param method what its annotation says
 * @param target what it acquires
 * @param leases grants handles of that
 * @param invocation the call
 */
record LockedCall(LockedMethod method, Target target, LeaseSource leases, MethodInvocation invocation) {
    static LockedCall of(LockedMethod method, Target target, MethodInvocation invocation) {
        return new LockedCall(method, target, target.leases(), invocation);
    }

    /** {@return the name of what it acquires, or those of all} */
    String name() {
        return target.name();
    }

    /** {@return "the lock orders", for messages} */
    String subject() {
        return "the " + method.annotation().noun() + " " + name();
    }

    /** {@return the lock that is to be a level of the calling thread; null if what it acquires belongs to a lease} */
    @Nullable
    LockTarget level() {
        return target instanceof LockTarget locks
                        && method.result() == ResultKind.VALUE
                        && method.keepFor() == null
                        && locks.isSingle()
                ? locks
                : null;
    }

    /**
     * Refuses a call that would wait for its own thread.
     *
     * @throws IllegalStateException if the thread is in a method with one of the locks, or the semaphore, and one of the two
     *     calls holds it by a lease, which no thread enters again; or that method reads, and this one writes
     */
    void requireOthers() {
        List<Hold> outer = Holds.ofThread().stream()
                .filter(hold -> hold.target().overlaps(target))
                .toList();
        for (Hold hold : outer) {
            if (!hold.isLevel() || level() == null) {
                throw wouldWait(hold, target.whyNotAgain());
            }
        }
        if (isOf(LockedMode.WRITE, target) && isOf(LockedMode.READ, outer) && !isOf(LockedMode.WRITE, outer)) {
            throw wouldWait(
                    outer.get(0),
                    "has it for reading: make that method WRITE, or call this one when it has"
                            + " returned, and its transaction has ended");
        }
    }

    private static boolean isOf(LockedMode mode, List<Hold> holds) {
        return holds.stream().anyMatch(hold -> isOf(mode, hold.target()));
    }

    private static boolean isOf(LockedMode mode, Target target) {
        return target instanceof LockTarget locks && locks.mode() == mode;
    }

    private IllegalStateException wouldWait(Hold hold, String why) {
        return new IllegalStateException("the call of " + method.method() + " for " + subject()
                + " would wait for its own thread, which is in a method with the "
                + method.annotation().noun() + " " + hold.target().name() + ", and " + why);
    }

    /** Calls the method, which may ask for the hold. */
    @Nullable
    Object proceedUnder(Hold hold) throws Throwable {
        Holds.enter(hold);
        try {
            return invocation.proceed();
        } finally {
            Holds.leave(hold);
        }
    }

    /** {@return a call of its own, with arguments of its own, for one of several subscriptions} */
    LockedCall copy() {
        return invocation instanceof ProxyMethodInvocation proxied
                ? new LockedCall(method, target, leases, proxied.invocableClone())
                : this;
    }
}
