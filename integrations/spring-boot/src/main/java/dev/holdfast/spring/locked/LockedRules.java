package dev.holdfast.spring.locked;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.annotation.MergedAnnotations;

/** Which annotated methods could not keep their promise. */
final class LockedRules {
    private LockedRules() {}

    /** {@return why the method cannot run under a lock or with permits, or null if it can} */
    static @Nullable String violation(Method method, LockedMethod locked) {
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers) || Modifier.isFinal(modifiers) || Modifier.isStatic(modifiers)) {
            return "it is " + Modifier.toString(modifiers) + ", so no proxy intercepts its calls; use "
                    + locked.annotation().replacement() + " in it instead";
        }
        if (isCallback(method)) {
            return "the container calls it on the bean itself, by no proxy; use "
                    + locked.annotation().replacement()
                    + " in it, or a method that is called later, such as that of an ApplicationRunner";
        }
        if (isSuspending(method)) {
            return "it is a Kotlin suspend function, which returns before its work is done";
        }
        if (ResultKind.of(method.getReturnType()) == ResultKind.UNKNOWN) {
            return "it returns " + method.getReturnType().getName() + ", whose completion cannot be observed; return"
                    + " CompletionStage or CompletableFuture";
        }
        if (locked.skips() && method.getReturnType().isPrimitive() && method.getReturnType() != void.class) {
            return "it returns " + method.getReturnType() + ", which has no value for a call that was skipped; return "
                    + "an Optional or a wrapper, or throw";
        }
        return null;
    }

    private static boolean isCallback(Method method) {
        Class<?> type = method.getDeclaringClass();
        MergedAnnotations annotations = MergedAnnotations.from(method);
        return annotations.isPresent("jakarta.annotation.PostConstruct")
                || annotations.isPresent("jakarta.annotation.PreDestroy")
                || (InitializingBean.class.isAssignableFrom(type) && isNamed(method, "afterPropertiesSet"))
                || (DisposableBean.class.isAssignableFrom(type) && isNamed(method, "destroy"));
    }

    private static boolean isNamed(Method method, String name) {
        return method.getName().equals(name) && method.getParameterCount() == 0;
    }

    /** The compiler adds a parameter for the continuation. */
    private static boolean isSuspending(Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        return parameters.length > 0
                && parameters[parameters.length - 1].getName().equals("kotlin.coroutines.Continuation");
    }
}
