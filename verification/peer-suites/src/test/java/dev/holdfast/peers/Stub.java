package dev.holdfast.peers;

import java.lang.reflect.Proxy;
import java.util.function.Function;

/** Objects of which the tests use one method. */
final class Stub {
    private Stub() {}

    static <T> T of(Class<T> type, String method, Function<Object[], Object> result) {
        return type.cast(Proxy.newProxyInstance(
                Stub.class.getClassLoader(), new Class<?>[] {type}, (self, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        return result.apply(arguments);
                    }
                    throw new UnsupportedOperationException(called.toString());
                }));
    }
}
