package dev.holdfast.spring.locked;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * A call of a method under a lock.
 *
 * @param method what its annotation says
 * @param lock the lock
 * @param invocation the call
 */
record LockedCall(LockedMethod method, DistributedLock lock, MethodInvocation invocation) {
    static LockedCall of(LockedMethod method, Holdfast client, String lockName, MethodInvocation invocation) {
        return new LockedCall(
                method, method.fenced() ? client.getFencedLock(lockName) : client.getLock(lockName), invocation);
    }

    /** {@return the name of the lock} */
    String name() {
        return lock.name();
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

    /** {@return a call of its own, for one of several subscriptions} */
    LockedCall copy() {
        return invocation instanceof ProxyMethodInvocation proxied
                ? new LockedCall(method, lock, proxied.invocableClone())
                : this;
    }
}
