package dev.holdfast.testkit.junit;

import dev.holdfast.HoldfastBuilder;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** Configures a {@link TestRedis} and its clients. May start several. Not safe for use by several threads. */
public final class TestRedisBuilder {
    private String keyPrefix = "";
    private Duration watchdogTimeout = Duration.ofSeconds(30);
    private UnaryOperator<HoldfastBuilder> settings = UnaryOperator.identity();

    TestRedisBuilder() {}

    /**
     * The key prefix of the clients, which the {@linkplain TestRedis#busy other owner} must have as well. Default none.
     * To be set also if the application under test connects a client of its own that has one.
     */
    public TestRedisBuilder keyPrefix(String prefix) {
        keyPrefix = Objects.requireNonNull(prefix, "prefix must not be null");
        return this;
    }

    /**
     * The {@linkplain HoldfastBuilder#watchdogTimeout watchdog timeout} of the clients, a third of which {@link
     * TestRedis#loseLease(String)} and {@link TestRedis#takeOver(String)} advance the clock by. Default 30 s. To be set also
     * if the application under test connects a client of its own that has another one: after an advance too small, the loss
     * is not detected; after one too large, the lease has run out.
     */
    public TestRedisBuilder watchdogTimeout(Duration timeout) {
        watchdogTimeout = Objects.requireNonNull(timeout, "timeout must not be null");
        return this;
    }

    /**
     * Further settings of the clients, in place of those set before. The key prefix and the watchdog timeout are those of
     * this builder, and the clock is {@link TestRedis#clock()}, even if the settings have others.
     */
    public TestRedisBuilder settings(UnaryOperator<HoldfastBuilder> further) {
        settings = Objects.requireNonNull(further, "settings must not be null");
        return this;
    }

    /**
     * Starts a server, and connects a client.
     *
     * @throws IllegalStateException if the server does not start; the message has its log
     * @throws dev.holdfast.LockException if the client cannot connect
     */
    public TestRedis start() {
        return TestRedis.start(keyPrefix, watchdogTimeout, settings);
    }
}
