package dev.holdfast.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.testkit.Eventually;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Which Redis a parameter gets, and when it is closed. */
final class HoldfastExtensionTest {
    private static final List<TestRedis> SEEN = new CopyOnWriteArrayList<>();
    private static final AtomicInteger CONNECTED = new AtomicInteger();

    @BeforeEach
    void forget() {
        SEEN.clear();
        CONNECTED.set(0);
    }

    /** All parameters of one test are of one Redis, which is closed after the test; the next test has another one. */
    @Test
    void parameters_ofOneTest() {
        run(OfEachTest.class, 2);
        assertThat(SEEN).hasSize(2).doesNotHaveDuplicates().noneMatch(HoldfastExtensionTest::isRunning);
    }

    /** Each repetition of a test is a test of its own. */
    @Test
    void parameters_ofRepetitions() {
        run(Repeated.class, 2);
        assertThat(SEEN).hasSize(2).doesNotHaveDuplicates().noneMatch(HoldfastExtensionTest::isRunning);
    }

    /** What a BeforeAll method asks for is shared by all tests of the class, and closed after the last. */
    @Test
    void parameters_ofOneClass() {
        run(OfTheClass.class, 2);
        assertThat(SEEN).hasSize(3).allMatch(redis -> redis.equals(SEEN.get(0)));
        assertThat(isRunning(SEEN.get(0))).isFalse();
    }

    /** So is what the constructor of a class asks for whose tests share an instance. */
    @Test
    void parameters_ofASharedInstance() {
        run(OfTheInstance.class, 2);
        assertThat(SEEN).hasSize(3).allMatch(redis -> redis.equals(SEEN.get(0)));
        assertThat(isRunning(SEEN.get(0))).isFalse();
    }

    /** The constructors of a nested class and of those around it get the Redis of the test. */
    @Test
    void parameters_ofANestedTest() {
        run(Around.class, 2);
        assertThat(SEEN).hasSize(2).doesNotHaveDuplicates().noneMatch(HoldfastExtensionTest::isRunning);
    }

    /** What a class shares is shared with the classes nested in it; what a nested class shares is closed with that. */
    @Test
    void parameters_ofANestedClass() {
        run(AroundShared.class, 3);
        assertThat(SEEN).hasSize(1).noneMatch(HoldfastExtensionTest::isRunning);
        SEEN.clear();
        run(AroundOwn.class, 2);
        assertThat(SEEN).hasSize(2).doesNotHaveDuplicates().noneMatch(HoldfastExtensionTest::isRunning);
    }

    /** Tests that run at the same time have a Redis each, and the end of one leaves that of the other alone. */
    @Test
    void parameters_inParallel() {
        EngineTestKit.engine("junit-jupiter")
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "2")
                .selectors(selectClass(InParallel.class))
                .execute()
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(2).failed(0));
        assertThat(SEEN).hasSize(2).doesNotHaveDuplicates().noneMatch(HoldfastExtensionTest::isRunning);
    }

    /** Parameters of other types are left to other extensions. */
    @Test
    void parameters_ofOtherTypes() {
        run(WithOthers.class, 1);
    }

    /** A test that leaves the server paused, the network cut and a lock held is cleaned up after all the same. */
    @Test
    void close_ofABrokenOne() {
        run(LeftBroken.class, 1);
        assertThat(SEEN).hasSize(1).noneMatch(HoldfastExtensionTest::isRunning);
    }

    /** A test that fails is cleaned up after as well. */
    @Test
    void close_afterAFailure() {
        run(Failing.class, Map.of(), 0, 1);
        assertThat(SEEN).hasSize(1).noneMatch(HoldfastExtensionTest::isRunning);
    }

    /** Before JUnit 5.13, nothing but the extension closes what it has stored. */
    @Test
    void close_withoutJUnit() {
        Map<String, String> earlier = Map.of("junit.jupiter.extensions.store.close.autocloseable.enabled", "false");
        run(OfEachTest.class, earlier, 2, 0);
        run(OfTheClass.class, earlier, 2, 0);
        run(OfTheInstance.class, earlier, 2, 0);
        run(Failing.class, earlier, 0, 1);
        assertThat(SEEN).hasSize(9).noneMatch(HoldfastExtensionTest::isRunning);
    }

    /** A test class without parameters of these types starts no server. */
    @Test
    void start_onlyIfAskedFor() {
        run(Counted.class, 2);
        assertThat(CONNECTED).hasValue(1);
    }

    /** There is no extension without a builder. */
    @Test
    @SuppressWarnings("NullAway")
    void with_null() {
        assertThatNullPointerException()
                .isThrownBy(() -> HoldfastExtension.with(null))
                .withMessage("builder must not be null");
    }

    private static boolean isRunning(TestRedis redis) {
        return redis.server().isRunning();
    }

    private static HoldfastBuilder counted(HoldfastBuilder client) {
        CONNECTED.incrementAndGet();
        return client;
    }

    private static void run(Class<?> tests, int succeeded) {
        run(tests, Map.of(), succeeded, 0);
    }

    private static void run(Class<?> tests, Map<String, String> configuration, int succeeded, int failed) {
        EngineTestKit.engine("junit-jupiter")
                .configurationParameters(configuration)
                .selectors(selectClass(tests))
                .execute()
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(succeeded).failed(failed));
    }

    @ExtendWith(HoldfastExtension.class)
    static final class OfEachTest {
        private final TestRedis mine;

        OfEachTest(TestRedis mine) {
            this.mine = mine;
            SEEN.add(mine);
        }

        @BeforeEach
        void same(Holdfast holdfast) {
            assertThat(holdfast).isSameAs(mine.client());
        }

        @Test
        void first(TestRedis redis, TestClock clock) {
            assertThat(redis).isSameAs(mine);
            assertThat(clock).isSameAs(mine.clock());
        }

        @Test
        void second(TestRedis redis) {
            assertThat(redis).isSameAs(mine);
            assertThat(redis.server().keys()).isEmpty();
        }

        @AfterEach
        void stillOpen(TestRedis redis) {
            assertThat(redis).isSameAs(mine);
            assertThat(redis.server().isRunning()).isTrue();
        }
    }

    @ExtendWith(HoldfastExtension.class)
    static final class Repeated {
        @RepeatedTest(2)
        void test(TestRedis redis) {
            SEEN.add(redis);
        }
    }

    @ExtendWith(HoldfastExtension.class)
    static final class OfTheClass {
        @BeforeAll
        static void start(TestRedis redis) {
            SEEN.add(redis);
        }

        @Test
        void first(TestRedis redis) {
            SEEN.add(redis);
            assertThat(redis.server().isRunning()).isTrue();
        }

        @Test
        void second(TestRedis redis) {
            SEEN.add(redis);
            assertThat(redis.server().isRunning()).isTrue();
        }
    }

    @ExtendWith(HoldfastExtension.class)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static final class OfTheInstance {
        OfTheInstance(TestRedis redis) {
            SEEN.add(redis);
        }

        @Test
        void first(TestRedis redis) {
            SEEN.add(redis);
            assertThat(redis.server().isRunning()).isTrue();
        }

        @Test
        void second(TestRedis redis) {
            SEEN.add(redis);
            assertThat(redis.server().isRunning()).isTrue();
        }
    }

    @ExtendWith(HoldfastExtension.class)
    static final class Around {
        private final TestRedis outer;

        Around(TestRedis outer) {
            this.outer = outer;
            SEEN.add(outer);
        }

        @Nested
        final class Within {
            private final TestRedis inner;

            Within(TestRedis inner) {
                this.inner = inner;
            }

            @Test
            void first(TestRedis redis) {
                assertThat(redis).isSameAs(outer).isSameAs(inner);
            }

            @Test
            void second(TestRedis redis) {
                assertThat(redis).isSameAs(outer).isSameAs(inner);
            }
        }
    }

    @ExtendWith(HoldfastExtension.class)
    static final class AroundShared {
        @BeforeAll
        static void start(TestRedis redis) {
            SEEN.add(redis);
        }

        @Test
        void outer(TestRedis redis) {
            assertThat(redis).isSameAs(SEEN.get(0));
        }

        @Nested
        final class First extends Sharing {}

        @Nested
        final class Second extends Sharing {}

        abstract static class Sharing {
            @Test
            void test(TestRedis redis) {
                assertThat(redis).isSameAs(SEEN.get(0));
                assertThat(redis.server().isRunning()).isTrue();
            }
        }
    }

    @ExtendWith(HoldfastExtension.class)
    static final class AroundOwn {
        @Nested
        final class First extends Owning {}

        @Nested
        final class Second extends Owning {}

        @TestInstance(TestInstance.Lifecycle.PER_CLASS)
        abstract static class Owning {
            @BeforeAll
            void start(TestRedis redis) {
                assertThat(SEEN).noneMatch(HoldfastExtensionTest::isRunning);
                SEEN.add(redis);
            }

            @Test
            void test(TestRedis redis) {
                assertThat(SEEN).last().isSameAs(redis);
            }
        }
    }

    @ExtendWith(HoldfastExtension.class)
    @Execution(ExecutionMode.CONCURRENT)
    static final class InParallel {
        private static final CountDownLatch BOTH = new CountDownLatch(2);

        /** The longer one asks for its Redis when the other test has one. */
        @BeforeEach
        void inTurn(TestInfo test) {
            if (test.getDisplayName().startsWith("longer")) {
                Eventually.await().until(() -> !SEEN.isEmpty());
            }
        }

        private static void meet(TestRedis redis) throws InterruptedException {
            SEEN.add(redis);
            BOTH.countDown();
            assertThat(BOTH.await(30, TimeUnit.SECONDS)).isTrue();
        }

        @Test
        void shorter(TestRedis redis) throws InterruptedException {
            meet(redis);
        }

        @Test
        void longer(TestRedis redis) throws InterruptedException {
            meet(redis);
            Eventually.await()
                    .until(() -> SEEN.stream()
                                    .filter(HoldfastExtensionTest::isRunning)
                                    .count()
                            == 1);
            assertThat(redis.server().isRunning()).isTrue();
            redis.client().getLock("orders").runLocked(() -> {});
        }
    }

    @ExtendWith(HoldfastExtension.class)
    static final class WithOthers {
        @Test
        void test(TestInfo info, TestRedis redis) {
            assertThat(info.getTestClass()).hasValue(WithOthers.class);
            assertThat(redis.server().isRunning()).isTrue();
        }
    }

    @ExtendWith(HoldfastExtension.class)
    static final class LeftBroken {
        @Test
        void test(TestRedis redis, Holdfast holdfast) {
            SEEN.add(redis);
            holdfast.getLock("orders").lock();
            redis.partition();
            redis.pause();
        }
    }

    @ExtendWith(HoldfastExtension.class)
    static final class Failing {
        @Test
        void test(TestRedis redis) {
            SEEN.add(redis);
            throw new UnsupportedOperationException();
        }
    }

    static final class Counted {
        @RegisterExtension
        static final HoldfastExtension EXTENSION =
                HoldfastExtension.with(TestRedis.builder().settings(HoldfastExtensionTest::counted));

        @Test
        void without() {
            assertThat(CONNECTED.get()).isLessThanOrEqualTo(1);
        }

        @Test
        void with(TestClock clock) {
            assertThat(clock).isNotNull();
            assertThat(CONNECTED).hasValue(1);
        }
    }
}
