package dev.holdfast.spring.locked;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.KotlinDetector;
import org.springframework.core.Nullness;
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
        if (KotlinDetector.isSuspendingFunction(method)) {
            return ofSuspending(method, locked);
        }
        if (locked.result() == ResultKind.UNKNOWN) {
            return "it returns " + method.getReturnType().getName() + ", whose completion cannot be observed; return"
                    + " CompletionStage or CompletableFuture";
        }
        if (locked.skips() && method.getReturnType().isPrimitive() && method.getReturnType() != void.class) {
            return "it returns " + method.getReturnType() + ", which has no value for a call that was skipped; return "
                    + "an Optional or a wrapper, or throw";
        }
        return null;
    }

    private static @Nullable String ofSuspending(Method method, LockedMethod locked) {
        if (!ResultKind.COROUTINES) {
            return "it is a Kotlin suspend function, whose calls Spring intercepts only if kotlinx-coroutines-reactor and"
                    + " kotlin-reflect are on the class path: add them";
        }
        Class<?> type = ResultKind.typeOf(method);
        if (locked.result() == ResultKind.UNKNOWN) {
            return "it is a suspend function that returns " + type.getName()
                    + ", whose work would go on after its end; " + "leave out suspend, or return the value";
        }
        if (locked.skips() && type != void.class && Nullness.forMethodReturnType(method) == Nullness.NON_NULL) {
            return "it returns " + type.getName()
                    + ", which has no value for a call that was skipped; make that nullable," + " or throw";
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
}
