package dev.holdfast.internal.spring;

import dev.holdfast.DistributedLock;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** A lock whose client can be made to doubt its holds, as it does after a suspend of the machine. */
public final class DoubtedLock {
    private final DistributedLock lock;
    private int doubts;

    /** @param lock the lock itself */
    public DoubtedLock(DistributedLock lock) {
        this.lock = lock;
    }

    /** From now on no hold counts as valid, until Redis has granted the lock that many times. */
    public void doubt(int grants) {
        doubts = grants;
    }

    /** {@return the lock as the code under test sees it} */
    public DistributedLock view() {
        return (DistributedLock)
                Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {DistributedLock.class}, this::call);
    }

    private @Nullable Object call(Object proxy, Method method, Object[] arguments) throws Throwable {
        return switch (method.getName()) {
            case "getHoldCount" -> doubts > 0 ? 0 : lock.getHoldCount();
            case "isHeldByCurrentThread" -> doubts == 0 && lock.isHeldByCurrentThread();
            case "lock", "tryLock" -> granted(invoke(method, arguments));
            default -> invoke(method, arguments);
        };
    }

    /** {@return the result of the attempt, which is none or whether it was granted} */
    private @Nullable Object granted(@Nullable Object result) {
        if (doubts > 0 && !Boolean.FALSE.equals(result)) {
            doubts--;
        }
        return result;
    }

    private @Nullable Object invoke(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(lock, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
