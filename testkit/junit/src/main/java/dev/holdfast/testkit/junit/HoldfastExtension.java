package dev.holdfast.testkit.junit;

import dev.holdfast.Holdfast;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives a test a Redis of its own and a client of it: as parameters of the types {@link TestRedis}, {@link Holdfast} and
 * {@link TestClock}, of the test or of a {@code @BeforeEach} method, or of the constructor. It is started when the first
 * parameter is asked for, and closed after the test. If a {@code @BeforeAll} method asks for one, or the constructor of a
 * class whose tests share an instance, all tests of the class share it.
 *
 * <pre>{@code
 * @ExtendWith(HoldfastExtension.class)
 * class ReportTest {
 *     @Test
 *     void report_isSkippedWhileTheLockIsBusy(TestRedis redis, Holdfast holdfast) {
 *         Lease other = redis.busy("report");
 *         assertFalse(new Report(holdfast.getLock("report")).run());
 *         other.close();
 *     }
 * }
 * }</pre>
 *
 * <p>Tests may run in parallel. Needs JUnit 5.12 or later.
 */
public final class HoldfastExtension implements ParameterResolver, AfterEachCallback, AfterAllCallback {
    private static final ExtensionContext.Namespace NAMESPACE =
            ExtensionContext.Namespace.create(HoldfastExtension.class);

    private final TestRedisBuilder builder;

    /** An extension whose clients have the default settings, for {@code @ExtendWith}. */
    public HoldfastExtension() {
        this(TestRedis.builder());
    }

    private HoldfastExtension(TestRedisBuilder builder) {
        this.builder = builder;
    }

    /** {@return an extension that starts each Redis by this builder, for a static field with {@code @RegisterExtension}} */
    public static HoldfastExtension with(TestRedisBuilder builder) {
        return new HoldfastExtension(Objects.requireNonNull(builder, "builder must not be null"));
    }

    /** The parameters of a constructor are those of the test that the instance is made for. */
    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == TestRedis.class || type == Holdfast.class || type == TestClock.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        TestRedis redis = redis(context);
        Class<?> type = parameter.getParameter().getType();
        if (type == Holdfast.class) {
            return redis.client();
        }
        return type == TestClock.class ? redis.clock() : redis;
    }

    /** The store of a test also has what was put into that of its class. */
    private TestRedis redis(ExtensionContext context) {
        ExtensionContext.Store store = context.getStore(NAMESPACE);
        TestRedis present = store.get(this, TestRedis.class);
        if (present != null) {
            return present;
        }
        TestRedis started = builder.start();
        store.put(this, started);
        return started;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        closeOwnOf(context);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        closeOwnOf(context);
    }

    private void closeOwnOf(ExtensionContext context) {
        @Nullable TestRedis own = context.getStore(NAMESPACE).remove(this, TestRedis.class);
        if (own != null) {
            own.close();
        }
    }
}
