package dev.holdfast.interleavings;

import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Stands in for a large interface of which little is used. */
public final class Standin {
    /** What it does when one of its methods is called. */
    public interface Answers {
        /** {@return what that method returns} */
        @Nullable
        Object to(String method, @Nullable Object[] arguments);
    }

    private Standin() {}

    /** {@return one that answers like this} */
    public static <T> T of(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> switch (method.getName()) {
                    case "equals" -> self == arguments[0];
                    case "hashCode" -> System.identityHashCode(self);
                    case "toString" -> type.getSimpleName();
                    default -> answers.to(method.getName(), arguments == null ? new Object[0] : arguments);
                }));
    }

    /** {@return one that is handed around and never called} */
    public static <T> T of(Class<T> type) {
        return of(type, (method, arguments) -> {
            throw new AssertionError("nobody should call " + type.getSimpleName() + "." + method);
        });
    }
}
