package dev.holdfast.interleavings;

import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Stands in for a large interface of which little is used. */
public final class Standin {
    /** The replies to the calls of its methods. */
    public interface Answers {
        /** {@return the value that the method returns} */
        @Nullable
        Object to(String method, @Nullable Object[] arguments);
    }

    private Standin() {}

    /** {@return an instance with these answers} */
    public static <T> T of(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> switch (method.getName()) {
                    case "equals" -> self == arguments[0];
                    case "hashCode" -> System.identityHashCode(self);
                    case "toString" -> type.getSimpleName();
                    default -> answers.to(method.getName(), arguments == null ? new Object[0] : arguments);
                }));
    }

    /** {@return an instance that is passed around and never called} */
    public static <T> T of(Class<T> type) {
        return of(type, (method, arguments) -> {
            throw new AssertionError("unexpected call of " + type.getSimpleName() + "." + method);
        });
    }
}
