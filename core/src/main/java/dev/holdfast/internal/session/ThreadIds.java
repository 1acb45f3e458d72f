package dev.holdfast.internal.session;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The ids of threads as owners of locks: those that the JVM assigns.
 *
 * <p>{@code Thread.threadId()}, which cannot be overridden, exists since JDK 19. Before that there is
 * {@link Thread#getId()}, which a subclass may override, so that two of its threads could have one id and be one owner.
 * A thread of such a class therefore gets a unique id from this class: the JVM counts up from 1, this class down from
 * {@link Long#MAX_VALUE}.
 */
public final class ThreadIds {
    /** {@code Thread.threadId()}; null before JDK 19. */
    private static final @Nullable MethodHandle THREAD_ID = threadIdMethod();

    /** Loaded for the first thread of a subclass, before JDK 19. */
    private static final class Own {
        static final AtomicLong next = new AtomicLong(Long.MAX_VALUE);
        static final ThreadLocal<Long> id = ThreadLocal.withInitial(next::getAndDecrement);

        static final ClassValue<Boolean> overridesGetId = new ClassValue<>() {
            @Override
            protected Boolean computeValue(Class<?> type) {
                try {
                    return type.getMethod("getId").getDeclaringClass() != Thread.class;
                } catch (NoSuchMethodException e) {
                    throw new IllegalStateException("every thread has an id", e);
                }
            }
        };
    }

    private ThreadIds() {}

    /** {@return the id of the calling thread, which no other live thread has} */
    public static long current() {
        Thread thread = Thread.currentThread();
        MethodHandle threadId = THREAD_ID;
        if (threadId != null) {
            return invoke(threadId, thread);
        }
        return thread.getClass() == Thread.class || !Own.overridesGetId.get(thread.getClass())
                ? thread.getId()
                : Own.id.get();
    }

    private static long invoke(MethodHandle threadId, Thread thread) {
        try {
            return (long) threadId.invokeExact(thread);
        } catch (Throwable e) {
            throw new IllegalStateException("every thread has an id", e);
        }
    }

    private static @Nullable MethodHandle threadIdMethod() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "threadId", MethodType.methodType(long.class));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return null;
        }
    }
}
