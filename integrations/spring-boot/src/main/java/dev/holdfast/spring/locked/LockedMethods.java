package dev.holdfast.spring.locked;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionParser;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.StringValueResolver;

/** Reads the annotations of methods, once for each. */
final class LockedMethods {
    private final ExpressionParser parser = new SpelExpressionParser();
    private final Map<MethodClassKey, LockedMethod> known = new ConcurrentHashMap<>();
    private final StringValueResolver placeholders;
    private final LockedProperties defaults;

    LockedMethods(StringValueResolver placeholders, LockedProperties defaults) {
        this.placeholders = placeholders;
        this.defaults = defaults;
    }

    /** {@return whether the method has the annotation, itself or on an interface or a class above} */
    static boolean isAnnotated(Method method) {
        return annotation(method).isPresent();
    }

    private static MergedAnnotation<Locked> annotation(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).get(Locked.class);
    }

    /**
     * {@return what the annotation of the method says}
     *
     * @throws IllegalArgumentException if a value of the annotation is malformed
     */
    LockedMethod of(Method method, Class<?> targetClass) {
        return known.computeIfAbsent(
                new MethodClassKey(method, targetClass),
                key -> read(AopUtils.getMostSpecificMethod(method, targetClass), targetClass));
    }

    private LockedMethod read(Method method, Class<?> targetClass) {
        MergedAnnotation<Locked> locked = annotation(method);
        OnBusy onBusy = locked.getEnum("onBusy", OnBusy.class);
        String name = resolved(locked.getString("name"));
        Duration wait = duration("waitFor", locked, onBusy == OnBusy.SKIP ? Duration.ZERO : defaults.waitFor());
        if (wait != null && wait.isNegative()) {
            throw new IllegalArgumentException("waitFor must not be negative, was " + wait);
        }
        Duration lease = leastOfMilli("lease", duration("lease", locked, defaults.lease()));
        Duration keepFor = leastOfMilli("keepFor", duration("keepFor", locked, null));
        if (lease != null && keepFor != null && lease.compareTo(keepFor) < 0) {
            throw new IllegalArgumentException("lease must not be shorter than keepFor, since the lock would be free"
                    + " before, was " + lease + " and keepFor was " + keepFor);
        }
        LockedMode mode = locked.getEnum("mode", LockedMode.class);
        boolean fenced = locked.getBoolean("fenced");
        requireMode(mode, fenced, keepFor);
        return new LockedMethod(
                method,
                resolved(locked.getString("client")),
                name.isEmpty() ? targetClass.getName() + "." + method.getName() : name,
                expression(locked.getString("key")),
                new Timing(wait, lease),
                keepFor,
                onBusy,
                mode,
                fenced,
                ResultKind.of(method.getReturnType()));
    }

    private static void requireMode(LockedMode mode, boolean fenced, @Nullable Duration keepFor) {
        if (mode == LockedMode.EXCLUSIVE) {
            return;
        }
        if (fenced) {
            throw new IllegalArgumentException(
                    "a fenced lock has no mode, was " + mode + ": leave out fenced, or the mode");
        }
        if (mode == LockedMode.READ && keepFor != null) {
            throw new IllegalArgumentException("a lock that is shared cannot be kept busy for its readers, keepFor was "
                    + keepFor + ": use WRITE, or leave out the mode");
        }
    }

    private static @Nullable Duration leastOfMilli(String name, @Nullable Duration duration) {
        if (duration != null && duration.toMillis() < 1) {
            throw new IllegalArgumentException(name + " must be at least 1 ms, was " + duration);
        }
        return duration;
    }

    private @Nullable Expression expression(String text) {
        try {
            return text.isEmpty() ? null : parser.parseExpression(text);
        } catch (ParseException e) {
            throw new IllegalArgumentException("key is no expression: " + e.getMessage(), e);
        }
    }

    private @Nullable Duration duration(String name, MergedAnnotation<Locked> locked, @Nullable Duration unset) {
        String text = resolved(locked.getString(name));
        try {
            return text.isEmpty() ? unset : DurationStyle.detectAndParse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + " must be a duration such as 2s or PT2S, was " + text, e);
        }
    }

    private String resolved(String text) {
        String value = placeholders.resolveStringValue(text);
        return value == null ? "" : value;
    }
}
