package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** An application with an annotated method that would run without its lock does not start. */
final class LockedRefusalTest {
    @RegisterExtension
    static final LockedApplication application = new LockedApplication();

    /** No proxy intercepts a method that it cannot override. */
    @Test
    void notOverridable_isRefused() {
        application.assertRefused(Private.class, "work()", "private");
        application.assertRefused(Final.class, "work()", "final");
        application.assertRefused(Static.class, "work()", "static");
    }

    /** The container calls them on the bean itself, not by its proxy: they would run without their lock. */
    @Test
    void callbackOfContainer_isRefused() {
        application.assertRefused(Started.class, "work()", "ApplicationRunner");
        application.assertRefused(Ended.class, "work()", "container");
        application.assertRefused(Initialized.class, "afterPropertiesSet()", "container");
        application.assertRefused(Disposed.class, "destroy()", "container");
    }

    /** A method that returns before its work is done, and tells nobody when that is, cannot keep a lock. */
    @Test
    void unobservable_isRefused() {
        application.assertRefused(WithFuture.class, "work()", "java.util.concurrent.Future");
    }

    /** What is refused is explained without a stack trace. */
    @Test
    void refusal_isAnalyzed() {
        application.runner().withBean(Final.class).run(context -> {
            Throwable failure = Objects.requireNonNull(context.getStartupFailure());
            FailureAnalysis analysis = Objects.requireNonNull(new LockedUsageFailureAnalyzer().analyze(failure));
            assertThat(analysis.getDescription()).contains("work()", "final");
            assertThat(analysis.getAction()).contains("holdfast.locked.enabled");
        });
        assertThat(SpringFactoriesLoader.forDefaultResourceLocation()
                        .load(FailureAnalyzer.class, (type, name, failure) -> {}))
                .hasAtLeastOneElementOfType(LockedUsageFailureAnalyzer.class);
    }

    /** There is no primitive value for a call that was skipped. */
    @Test
    void skippedPrimitive_isRefused() {
        application.assertRefused(SkippedPrimitive.class, "work()", "int");
    }

    /** Malformed values are found when the application starts. */
    @Test
    void malformed_isRefused() {
        application.assertRefused(MalformedWait.class, "waitFor", "soon");
        application.assertRefused(MalformedKey.class, "key", "#");
        application.assertRefused(WithoutLease.class, "lease", "PT0S");
    }

    /** Methods that can keep a lock are not refused; nor are beans without a proxy that have no lock. */
    @Test
    void others_areAllowed() {
        application.runner().withBean(Allowed.class).run(context -> assertThat(context)
                .hasNotFailed());
    }

    static class Private {
        @Locked
        @SuppressWarnings("UnusedMethod")
        private void work() {}
    }

    static class Final {
        @Locked
        public final void work() {}
    }

    static class Static {
        @Locked
        public static void work() {}
    }

    static class Started {
        @Locked
        @PostConstruct
        public void work() {}
    }

    static class Ended {
        @Locked
        @PreDestroy
        public void work() {}
    }

    static class Initialized implements InitializingBean {
        @Locked
        @Override
        public void afterPropertiesSet() {}
    }

    static class Disposed implements DisposableBean {
        @Locked
        @Override
        public void destroy() {}
    }

    static class WithFuture {
        @Locked
        public Future<String> work() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class SkippedPrimitive {
        @Locked(onBusy = OnBusy.SKIP)
        public int work() {
            return 1;
        }
    }

    static class MalformedWait {
        @Locked(waitFor = "soon")
        public void work() {}
    }

    static class MalformedKey {
        @Locked(key = "#")
        public void work() {}
    }

    static class WithoutLease {
        @Locked(lease = "0")
        public void work() {}
    }

    static class Allowed {
        @Locked(onBusy = OnBusy.SKIP)
        public void work() {}

        @Locked
        int primitive() {
            return 1;
        }

        public final void unlocked() {}

        @Locked
        public void destroy() {}
    }
}
