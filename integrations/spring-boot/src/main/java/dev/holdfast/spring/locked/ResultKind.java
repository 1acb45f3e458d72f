package dev.holdfast.spring.locked;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/** When a method's work is done: that decides how long its lock is held. */
enum ResultKind {
    /** When it returns. */
    VALUE,
    /** When the future that it returns has completed. */
    FUTURE,
    /** When the publisher that it returns has completed or was cancelled, for each subscription. */
    REACTIVE,
    /** When the coroutine of the Kotlin suspend function has ended. */
    SUSPENDING,
    /** When something is done whose completion cannot be observed. */
    UNKNOWN;

    private static final boolean REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Mono", ResultKind.class.getClassLoader());

    /** Whether Spring makes publishers of suspend functions. */
    static final boolean COROUTINES = KotlinDetector.isKotlinReflectPresent()
            && ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", ResultKind.class.getClassLoader());

    static ResultKind of(Method method) {
        if (!KotlinDetector.isSuspendingFunction(method)) {
            return of(method.getReturnType());
        }
        return COROUTINES && of(typeOf(method)) == VALUE ? SUSPENDING : UNKNOWN;
    }

    /** {@return the type of the result, also that of a suspend function, for which Java declares another one} */
    static Class<?> typeOf(Method method) {
        return new MethodParameter(method, -1).getParameterType();
    }

    private static ResultKind of(Class<?> type) {
        if (type == CompletionStage.class || type == CompletableFuture.class) {
            return FUTURE;
        }
        if (Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type)) {
            return UNKNOWN;
        }
        return REACTOR && isReactive(type) ? REACTIVE : VALUE;
    }

    private static boolean isReactive(Class<?> type) {
        return ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }
}
