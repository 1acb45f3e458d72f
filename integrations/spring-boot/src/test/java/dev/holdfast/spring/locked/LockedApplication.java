package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import dev.holdfast.spring.autoconfigure.HoldfastBuilderCustomizer;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.junit.TestClock;
import java.time.Duration;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** An application with locks, transactions and a database, and another client that sees its locks. */
final class LockedApplication implements BeforeAllCallback, AfterAllCallback {
    private final RedisServer redis = RedisServer.start();
    private final Holdfast rival = Holdfast.connect(redis.uri());
    private final TestClock clock = new TestClock();

    @Override
    public void beforeAll(ExtensionContext context) {
        assertThat(rival.isConnected()).isTrue();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        rival.close();
        redis.close();
    }

    /** {@return an application whose client has the clock that {@link #deleteAndRenew} advances} */
    ApplicationContextRunner runner() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        HoldfastAutoConfiguration.class,
                        LockedAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        TransactionManagerCustomizationAutoConfiguration.class))
                .withPropertyValues("holdfast.redis-uri=" + redis.uri())
                .withBean(HoldfastBuilderCustomizer.class, () -> clock::applyTo)
                .withBean(DataSource.class, LockedApplication::database);
    }

    private static DataSource database() {
        return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    }

    /** Asserts that the application does not start with such a bean, and that these words say why. */
    void assertRefused(Class<?> bean, String... words) {
        runner().withBean(bean).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).hasMessageContainingAll(words);
        });
    }

    RedisServer redis() {
        return redis;
    }

    Holdfast rival() {
        return rival;
    }

    boolean isLocked(String name) {
        return rival.getLock(name).isLocked();
    }

    /** Deletes the lock, unknown to its holder. */
    void delete(String name) {
        assertThat(rival.getLock(name).forceUnlock()).isTrue();
    }

    /** Deletes the lock, and makes its holder send the renewal that shows this. The holder waits for no reply by now. */
    void deleteAndRenew(String name) {
        delete(name);
        clock.advance(Duration.ofSeconds(10));
    }

    /** Deletes the lock of the calling thread's method, and returns when the method could know. */
    void lose(String name) {
        lose(name, rival.getLock(name)::forceUnlock);
    }

    /** The same, where the deletion is another one. */
    void lose(String name, BooleanSupplier deletion) {
        lose(name, deletion, CurrentLock::isHeld);
    }

    /** The same, for what is held otherwise. */
    void lose(String name, BooleanSupplier deletion, Predicate<String> isHeld) {
        assertThat(isHeld.test(name)).isTrue();
        assertThat(deletion.getAsBoolean()).isTrue();
        clock.advance(Duration.ofSeconds(10));
        Thread holder = Thread.currentThread();
        Eventually.await().pollInSameThread().until(() -> Thread.currentThread() == holder && !isHeld.test(name));
    }
}
