package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An application with a method whose limit would not hold does not start. */
final class LimitedRefusalTest {
    @RegisterExtension
    static final LockedApplication application = new LockedApplication();

    /** The rules for methods are those of locks. */
    @Test
    void method_isRefused() {
        application.assertRefused(Final.class, "work()", "final", "semaphore.callPermitted(..)");
        application.assertRefused(WithFuture.class, "work()", "java.util.concurrent.Future");
        application.assertRefused(SkippedPrimitive.class, "work()", "int");
        application.assertRefused(WithoutClient.class, "work()", "client", "'absent'");
    }

    /** A number is one, and there are as many permits as a call acquires. */
    @Test
    void numbers_areChecked() {
        application.assertRefused(Malformed.class, "permits", "'four'");
        application.assertRefused(NoPermits.class, "permits", "was 0");
        application.assertRefused(TooMany.class, "permits", "1000000", "1000001");
        application.assertRefused(MoreThanAll.class, "take", "from 1 to 2", "was 3");
        application.assertRefused(Nothing.class, "take", "was 0");
        application.assertRefused(ShortLease.class, "lease", "keepFor", "semaphore");
    }

    /** Two methods with one semaphore name one limit; a lock of its name is another thing. */
    @Test
    void name_hasOneLimit() {
        application.assertRefused(
                TwoLimits.class, "the semaphore mixed has", "permits here, and", "narrow()", "wide()");
        application.runner().withBean(OneLimit.class).run(context -> assertThat(context)
                .hasNotFailed());
    }

    static class Final {
        @Limited(permits = "2")
        public final void work() {}
    }

    static class WithFuture {
        @Limited(permits = "2")
        public @Nullable Future<String> work() {
            return null;
        }
    }

    static class SkippedPrimitive {
        @Limited(permits = "2", onBusy = OnBusy.SKIP)
        public int work() {
            return 1;
        }
    }

    static class WithoutClient {
        @Limited(permits = "2", client = "absent")
        public void work() {}
    }

    static class Malformed {
        @Limited(permits = "${absent:four}")
        public void work() {}
    }

    static class NoPermits {
        @Limited(permits = "0")
        public void work() {}
    }

    static class TooMany {
        @Limited(permits = "1000001")
        public void work() {}
    }

    static class MoreThanAll {
        @Limited(permits = "2", take = "3")
        public void work() {}
    }

    static class Nothing {
        @Limited(permits = "2", take = "0")
        public void work() {}
    }

    static class ShortLease {
        @Limited(permits = "2", lease = "1s", keepFor = "2s")
        public void work() {}
    }

    static class TwoLimits {
        @Limited(name = "mixed", permits = "2")
        public void narrow() {}

        @Limited(name = "mixed", permits = "3")
        public void wide() {}
    }

    static class OneLimit {
        @Limited(name = "mixed", permits = "2")
        public void one() {}

        @Limited(name = "mixed", permits = "2", take = "2")
        public void both() {}

        @Locked(name = "mixed")
        public void alone() {}

        @Limited(name = "mixed", key = "#p0", permits = "3")
        public void byKey(int area) {}
    }
}
