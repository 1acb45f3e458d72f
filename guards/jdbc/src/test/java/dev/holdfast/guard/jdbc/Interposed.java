package dev.holdfast.guard.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Proxies of driver objects that intercept certain calls, so that a race occurs in each run instead of by chance. */
final class Interposed {

    /** Replaces a call. */
    interface Interposition {
        @Nullable
        Object at(RealCall call) throws Exception;
    }

    /** Runs before a call. */
    interface Before {
        void run() throws Exception;
    }

    /** A call of the real object, as it was made. */
    static final class RealCall {
        private final Object real;
        private final Method method;
        private final @Nullable Object[] arguments;

        private RealCall(Object real, Method method, @Nullable Object[] arguments) {
            this.real = real;
            this.method = method;
            this.arguments = arguments;
        }

        /** {@return an argument; empty if there is none, or it is null} */
        Optional<Object> argument(int index) {
            return index < arguments.length ? Optional.ofNullable(arguments[index]) : Optional.empty();
        }

        @Nullable
        Object pass() throws Exception {
            try {
                return method.invoke(real, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }

        /** {@return the statement that this call prepares} */
        PreparedStatement prepare() throws Exception {
            return (PreparedStatement) Objects.requireNonNull(pass());
        }
    }

    private Interposed() {}

    /** {@return a proxy of the object, in which each call of this method is replaced} */
    static <T> T at(String method, Class<T> type, T real, Interposition interposition) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
                    RealCall call = new RealCall(real, called, arguments == null ? new Object[0] : arguments);
                    return called.getName().equals(method) ? interposition.at(call) : call.pass();
                }));
    }

    /** {@return a proxy that runs an action before the connection prepares a statement that begins with this text} */
    static Connection before(String verb, Connection real, Before before) {
        return at("prepareStatement", Connection.class, real, call -> {
            if (call.argument(0).orElse("").toString().startsWith(verb)) {
                before.run();
            }
            return call.pass();
        });
    }
}
