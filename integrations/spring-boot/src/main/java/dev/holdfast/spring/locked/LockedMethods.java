package dev.holdfast.spring.locked;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionParser;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.StringValueResolver;

/** Reads the annotations of methods, once for each. */
final class LockedMethods {
    private final ExpressionParser parser = new SpelExpressionParser();
    private final Map<Key, LockedMethod> known = new ConcurrentHashMap<>();
    private final StringValueResolver placeholders;
    private final LockedProperties defaults;

    private record Key(HoldAnnotation annotation, Method method, Class<?> targetClass) {}

    LockedMethods(StringValueResolver placeholders, LockedProperties defaults) {
        this.placeholders = placeholders;
        this.defaults = defaults;
    }

    /**
     * {@return what the annotation of the method says}
     *
     * @throws IllegalArgumentException if a value of the annotation is malformed
     */
    LockedMethod of(HoldAnnotation annotation, Method method, Class<?> targetClass) {
        return known.computeIfAbsent(
                new Key(annotation, method, targetClass),
                key -> read(annotation, AopUtils.getMostSpecificMethod(method, targetClass), targetClass));
    }

    private LockedMethod read(HoldAnnotation annotation, Method method, Class<?> targetClass) {
        Attributes attributes = new Attributes(annotation.of(method), placeholders);
        OnBusy onBusy = attributes.constant("onBusy", OnBusy.class);
        String name = attributes.text("name");
        Duration wait = attributes.duration("waitFor", onBusy == OnBusy.SKIP ? Duration.ZERO : defaults.waitFor());
        if (wait != null && wait.isNegative()) {
            throw new IllegalArgumentException("waitFor must not be negative, was " + wait);
        }
        Duration lease = leastOfMilli("lease", attributes.duration("lease", defaults.lease()));
        Duration keepFor = leastOfMilli("keepFor", attributes.duration("keepFor", null));
        if (lease != null && keepFor != null && lease.compareTo(keepFor) < 0) {
            throw new IllegalArgumentException("lease must not be shorter than keepFor, since the " + annotation.noun()
                    + " would be free before, was " + lease + " and keepFor was " + keepFor);
        }
        return new LockedMethod(
                method,
                attributes.text("client"),
                name.isEmpty() ? targetClass.getName() + "." + method.getName() : name,
                expression(attributes.annotation().getString("key")),
                new Timing(wait, lease),
                keepFor,
                onBusy,
                switch (annotation) {
                    case LIMITED -> Claim.OfPermits.read(attributes);
                    case LOCKED -> Claim.OfLocks.read(attributes, keepFor);
                },
                ResultKind.of(method));
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
}
