package dev.holdfast.spring.locked;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;

/** The names of the locks and semaphores of calls. */
final class LockNames {
    private static final String HINT = "A parameter is known by its name only if its class was compiled with"
            + " -parameters; the first one is also #p0";

    private final ParameterNameDiscoverer parameters = new DefaultParameterNameDiscoverer();
    private final BeanFactoryResolver beans;

    LockNames(BeanFactory factory) {
        this.beans = new BeanFactoryResolver(factory);
    }

    /**
     * {@return the names of the locks of a call, in the order of the alphabet, or that of its semaphore} Several if the key is a
     * collection of different objects.
     *
     * @throws IllegalArgumentException if the key cannot be evaluated, or has no value that can be a part of a name
     */
    List<String> of(LockedMethod locked, Object target, Object[] arguments) {
        Expression key = locked.key();
        if (key == null) {
            return List.of(locked.name());
        }
        Object value = value(key, locked, target, arguments);
        Iterable<?> elements = elements(value);
        if (elements != null && locked.annotation() == HoldAnnotation.LIMITED) {
            throw refusal(locked, key, "is a collection, and a call has permits of one semaphore");
        }
        if (elements != null) {
            TreeSet<String> names = new TreeSet<>();
            elements.forEach(element -> names.add(name(element, locked, key)));
            if (names.isEmpty()) {
                throw refusal(locked, key, "has no element");
            }
            return List.copyOf(names);
        }
        return List.of(name(value, locked, key));
    }

    private @Nullable Object value(Expression key, LockedMethod locked, Object target, Object[] arguments) {
        MethodBasedEvaluationContext context =
                new MethodBasedEvaluationContext(target, locked.method(), arguments, parameters);
        context.setBeanResolver(beans);
        try {
            return key.getValue(context);
        } catch (EvaluationException e) {
            IllegalArgumentException failure =
                    refusal(locked, key, "cannot be evaluated: " + e.getMessage() + ". " + hint(locked));
            failure.initCause(e);
            throw failure;
        }
    }

    /** {@return the elements of a collection, or null for a single object} A path is one, although its parts are iterable. */
    private static @Nullable Iterable<?> elements(@Nullable Object value) {
        if (value instanceof Object[] array) {
            return Arrays.asList(array);
        }
        return value instanceof Iterable<?> iterable && !(value instanceof Path) ? iterable : null;
    }

    private String name(@Nullable Object value, LockedMethod locked, Expression key) {
        if (value == null) {
            throw refusal(locked, key, "is null, or has an element that is. " + hint(locked));
        }
        if (value instanceof Map || value.getClass().isArray() || hasNoText(value)) {
            throw refusal(
                    locked,
                    key,
                    "is, or has an element that is, of the type "
                            + value.getClass().getTypeName() + ", whose text does not identify it");
        }
        return locked.name() + ":" + value;
    }

    /**
     * {@return whether the text is that of {@link Object#toString()}, also behind a proxy} It differs among equal objects,
     * so each call would have a lock of its own.
     */
    private static boolean hasNoText(Object value) {
        return value.toString().endsWith("@" + Integer.toHexString(value.hashCode()));
    }

    /** An implementation may name its parameters otherwise than the interface that has the annotation. */
    private String hint(LockedMethod locked) {
        @Nullable String @Nullable [] known = parameters.getParameterNames(locked.method());
        return HINT + ". Known by their names are " + (known == null ? "none" : Arrays.toString(known));
    }

    private static IllegalArgumentException refusal(LockedMethod locked, Expression key, String why) {
        return new IllegalArgumentException("the key " + key.getExpressionString() + " of " + locked.annotation() + " "
                + locked.method() + " " + why);
    }
}
