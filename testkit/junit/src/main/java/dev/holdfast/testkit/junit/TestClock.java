package dev.holdfast.testkit.junit;

import dev.holdfast.HoldfastBuilder;
import dev.holdfast.HoldfastStats;
import dev.holdfast.LockListener;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A clock of clients: it runs as the system's does, and {@link #advance} moves it on at once. So a test need not wait for
 * a renewal or for the end of a lease. The clients of a {@link TestRedis} have one, and {@link #applyTo} gives it to
 * others; several clients may share one.
 *
 * <p>It is the time of the client alone. In Redis, where each lock expires as well, no time passes: after an advance
 * beyond the end of a lease its client has lost it, and Redis still has it. To a client, an advance looks as if its
 * process had been suspended: the renewals that fell due during it are sent at once, except for leases that have run out,
 * and a command without a reply may time out.
 *
 * <p>Safe for use by several threads. Refers to its clients, also when they are closed.
 */
public final class TestClock {
    private static final Class<?> TIME = internal("dev.holdfast.internal.session.AdvancedTime");

    private final AtomicLong aheadNanos = new AtomicLong();
    private final List<Runnable> actions = new CopyOnWriteArrayList<>();
    private final List<Supplier<HoldfastStats>> clients = new CopyOnWriteArrayList<>();

    /**
     * What the clients read. Its type is not exported, and in a modular project the test kit may be in any module, and is on
     * the class path if the tests have no module of their own; a proxy may implement it in each of these cases.
     */
    private final LockListener time =
            (LockListener) Proxy.newProxyInstance(TIME.getClassLoader(), new Class<?>[] {TIME}, this::called);

    /** A clock that shows the system's time until it is advanced. */
    public TestClock() {}

    /**
     * Gives this clock to the client that the builder will build: before {@link HoldfastBuilder#build()}, and if it was given
     * several clocks, the last one counts.
     *
     * @return the builder
     */
    public HoldfastBuilder applyTo(HoldfastBuilder client) {
        return client.addListener(time);
    }

    /**
     * Moves the clock on. What falls due is done shortly after, on the threads of the client.
     *
     * @param step zero for no change
     * @throws IllegalArgumentException if it is negative
     */
    public void advance(Duration step) {
        Objects.requireNonNull(step, "step must not be null");
        if (step.isNegative()) {
            throw new IllegalArgumentException("step must not be negative, was " + step + ": time does not run back");
        }
        aheadNanos.addAndGet(step.toNanos());
        actions.forEach(Runnable::run);
    }

    @SuppressWarnings("unchecked") // the types are those of the interface
    private @Nullable Object called(Object proxy, Method method, Object[] arguments)
            throws ReflectiveOperationException {
        return switch (method.getName()) {
            case "nanoTime" -> System.nanoTime() + aheadNanos.get();
            case "afterAdvance" -> actions.add((Runnable) arguments[0]);
            case "addClient" -> clients.add((Supplier<HoldfastStats>) arguments[0]);
            default -> method.invoke(this, arguments); // those of Object; it receives no events
        };
    }

    private static Class<?> internal(String name) {
        try {
            return Class.forName(name, false, HoldfastBuilder.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("the test kit must be of the same version as holdfast-core: no " + name, e);
        }
    }

    /** {@return the statistics of each client that has this clock, in the order in which they were built, closed ones too} */
    List<Supplier<HoldfastStats>> clients() {
        return List.copyOf(clients);
    }
}
