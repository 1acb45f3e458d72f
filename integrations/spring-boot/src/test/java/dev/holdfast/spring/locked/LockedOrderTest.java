package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Lease;
import dev.holdfast.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.resilience.retry.MethodRetryEvent;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** Asynchronous and repeated calls are outside of the lock, whatever its order among other advice is. */
final class LockedOrderTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @RegisterExtension
    static final LockedApplication application = new LockedApplication();

    private final List<Boolean> lockedBetween = new ArrayList<>();
    private Runnable afterFailure = () -> {};

    private final ApplicationContextRunner runner = application
            .runner()
            .withUserConfiguration(Methods.class)
            .withBean(Service.class)
            .withBean("retries", Retries.class, () -> event -> {
                lockedBetween.add(application.isLocked("repeated"));
                afterFailure.run();
            });

    private interface Retries extends ApplicationListener<MethodRetryEvent> {}

    @BeforeEach
    void allIsFree() {
        assertThat(application.isLocked("async")).isFalse();
        assertThat(application.isLocked("repeated")).isFalse();
    }

    private static ApplicationContextRunner at(int order, ApplicationContextRunner runner) {
        return runner.withPropertyValues("holdfast.locked.order=" + order);
    }

    private static void with(ApplicationContextRunner runner, Consumer<Service> test) {
        runner.run(context -> test.accept(context.getBean(Service.class)));
    }

    /** The thread that works takes the lock, and the caller waits for nothing. */
    @ParameterizedTest
    @ValueSource(ints = {Ordered.HIGHEST_PRECEDENCE, Ordered.LOWEST_PRECEDENCE - 100})
    void async_isOutside(int order) {
        with(at(order, runner), service -> {
            Lease busy = application.rival().getLock("async").acquire();
            CompletableFuture<Thread> worker = new CompletableFuture<>();

            service.async(worker);

            Eventually.await().until(() -> service.waiters() == 1);
            assertThat(worker).isNotDone();
            busy.close();
            assertThat(worker).succeedsWithin(LONG).isNotSameAs(Thread.currentThread());
            Eventually.await().until(() -> !application.isLocked("async"));
        });
    }

    /** So does a method with a future, which holds the lock until that has completed. */
    @Test
    void asyncFuture_isOutside() {
        with(runner, service -> {
            CompletableFuture<String> work = new CompletableFuture<>();

            CompletableFuture<String> result = service.asyncFuture(work);

            Eventually.await().until(() -> application.isLocked("async"));
            assertThat(result).isNotDone();
            work.complete("done");
            assertThat(result).succeedsWithin(LONG).isEqualTo("done");
            assertThat(application.isLocked("async")).isFalse();
        });
    }

    /** Each attempt has a hold of its own, and others can have the lock between two attempts. */
    @ParameterizedTest
    @ValueSource(ints = {Ordered.HIGHEST_PRECEDENCE, Ordered.LOWEST_PRECEDENCE - 100})
    void retry_isOutside(int order) {
        with(at(order, runner), service -> {
            List<Long> tokens = new ArrayList<>();

            assertThatThrownBy(() -> service.repeated(tokens)).isInstanceOf(UnsupportedOperationException.class);

            assertThat(tokens).hasSize(3).isSorted().doesNotHaveDuplicates();
            assertThat(lockedBetween).isNotEmpty().containsOnly(false);
        });
    }

    /** A lock that is busy at the first attempt is acquired at the second, if it is free by then. */
    @Test
    void retry_ofBusyLock() {
        Lease busy = application.rival().getLock("repeated").acquire();
        afterFailure = busy::close;
        with(runner, service -> {
            List<Long> tokens = new ArrayList<>();

            assertThatThrownBy(() -> service.repeated(tokens)).isInstanceOf(UnsupportedOperationException.class);

            assertThat(tokens).hasSize(2);
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    @EnableResilientMethods
    static class Methods {}

    static class Service {
        private final ObjectProvider<dev.holdfast.Holdfast> client;

        Service(ObjectProvider<dev.holdfast.Holdfast> client) {
            this.client = client;
        }

        @Async
        @Locked(name = "async")
        public void async(CompletableFuture<Thread> worker) {
            if (CurrentLock.isHeld("async")) {
                worker.complete(Thread.currentThread());
            }
        }

        @Async
        @Locked(name = "async")
        public CompletableFuture<String> asyncFuture(CompletableFuture<String> work) {
            return work;
        }

        @Retryable(maxRetries = 2, delay = 0)
        @Locked(name = "repeated", waitFor = "0", fenced = true)
        public void repeated(List<Long> tokens) {
            tokens.add(CurrentLock.token());
            throw new UnsupportedOperationException();
        }

        public long waiters() {
            return client.getObject().stats().waiters();
        }
    }
}
