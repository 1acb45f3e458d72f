package dev.holdfast.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.holdfast.Holdfast;
import dev.holdfast.TestClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.testkit.engine.EngineTestKit;

/** Which Redis a parameter gets, and when it is closed. */
final class HoldfastExtensionTest {
    private static final List<TestRedis> SEEN = new ArrayList<>();

    @BeforeEach
    void forget() {
        SEEN.clear();
    }

    /** All parameters of one test are of one Redis, which is closed after the test; the next test has another one. */
    @Test
    void parameters_ofOneTest() {
        run(OfEachTest.class, 2);
        assertThat(SEEN).doesNotHaveDuplicates().noneMatch(HoldfastExtensionTest::isRunning);
    }

    /** What a BeforeAll method asks for is shared by all tests of the class, and closed after the last. */
    @Test
    void parameters_ofOneClass() {
        run(OfTheClass.class, 2);
        assertThat(SEEN).hasSize(3).allMatch(redis -> redis.equals(SEEN.get(0)));
        assertThat(isRunning(SEEN.get(0))).isFalse();
    }

    /** A test that leaves the server paused, the network cut and a lock held is cleaned up after all the same. */
    @Test
    void close_ofABrokenOne() {
        run(LeftBroken.class, 1);
        assertThat(SEEN).hasSize(1).noneMatch(HoldfastExtensionTest::isRunning);
    }

    /** A test class without parameters of these types starts no server. */
    @Test
    void parameters_none() {
        run(Without.class, 1);
        assertThat(SEEN).isEmpty();
    }

    private static boolean isRunning(TestRedis redis) {
        return redis.server().isRunning();
    }

    private static void run(Class<?> tests, int succeeded) {
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(tests))
                .execute()
                .testEvents()
                .assertStatistics(statistics -> statistics.succeeded(succeeded).failed(0));
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
        }

        @Test
        void second(TestRedis redis) {
            SEEN.add(redis);
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
    static final class Without {
        @Test
        void test() {}
    }
}
