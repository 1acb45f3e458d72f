package dev.holdfast.spring.locked;

import java.lang.reflect.Method;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.Expression;

/**
 * An annotated method, with everything resolved that does not depend on a call.
 *
 * @param method the method of the bean's class
 * @param client the name of the bean that is the client, or empty for the only or primary one
 * @param name the name of the lock or the semaphore, or what it starts with
 * @param key the expression for the rest of the name, if any
 * @param timing how long to wait and for how long to acquire
 * @param keepFor how long what was acquired stays busy from then on; null for as long as the method runs
 * @param onBusy what to do if that stays busy
 * @param claim what a call acquires
 * @param result when the work of the method is done
 */
record LockedMethod(
        Method method,
        String client,
        String name,
        @Nullable Expression key,
        Timing timing,
        @Nullable Duration keepFor,
        OnBusy onBusy,
        Claim claim,
        ResultKind result) {
    HoldAnnotation annotation() {
        return claim.annotation();
    }

    boolean skips() {
        return onBusy == OnBusy.SKIP;
    }
}
