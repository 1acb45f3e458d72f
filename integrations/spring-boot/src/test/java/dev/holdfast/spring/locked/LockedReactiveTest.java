package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.testkit.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.reactivestreams.Subscription;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.publisher.Sinks;

/** The lock of a method that returns a publisher is held from each subscription until that ends. */
final class LockedReactiveTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    @RegisterExtension
    static final LockedApplication application = new LockedApplication();

    private final Sinks.One<String> work = Sinks.one();
    private final ApplicationContextRunner runner = application.runner().withBean(Service.class);

    private void with(Consumer<Service> test) {
        runner.run(context -> test.accept(context.getBean(Service.class)));
    }

    private static boolean isLocked() {
        return application.isLocked("reactive");
    }

    private static void awaitLocked() {
        Eventually.await().until(LockedReactiveTest::isLocked);
    }

    /** Nothing is locked or called before the subscription; then the lock is held until the publisher completes. */
    @Test
    void mono_heldUntilCompleted() {
        with(service -> {
            Mono<String> result = service.one(work.asMono());
            assertThat(isLocked()).isFalse();
            assertThat(service.calls()).isZero();
            CompletableFuture<?> value = result.toFuture();
            awaitLocked();
            work.tryEmitValue("done").orThrow();
            assertThat(value.join()).isEqualTo("done");
            assertThat(isLocked()).isFalse();
            assertThat(service.token()).isPositive();
        });
    }

    /** All elements of a flux are emitted under the lock, which is released with the last one. */
    @Test
    void flux_heldUntilCompleted() {
        with(service -> {
            assertThat(service.many(Flux.range(1, 3)
                                    .doOnNext(i -> assertThat(isLocked()).isTrue()))
                            .collectList()
                            .block(LONG))
                    .containsExactly(1, 2, 3);
            assertThat(isLocked()).isFalse();
        });
    }

    /** Each subscription acquires the lock and calls the method again. */
    @Test
    void subscription_isCall() {
        with(service -> {
            Mono<String> result = service.one(Mono.just("x"));
            assertThat(result.repeat(2).collectList().block(LONG)).containsExactly("x", "x", "x");
            assertThat(service.calls()).isEqualTo(3);
            assertThat(isLocked()).isFalse();
        });
    }

    /** Each subscription passes the advice inside of the lock, such as that of a transaction. */
    @Test
    void subscription_passesInnerAdvice() {
        AtomicInteger passed = new AtomicInteger();
        runner.withBean(AtomicInteger.class, () -> passed)
                .withUserConfiguration(InnerAdvice.class)
                .run(context -> {
                    Mono<String> result = context.getBean(Service.class).one(Mono.just("x"));
                    assertThat(result.repeat(1).collectList().block(LONG)).containsExactly("x", "x");
                    assertThat(passed).hasValue(2);
                });
    }

    /** A publisher that fails, a method that throws, and a cancelled subscription release the lock. */
    @Test
    void released_afterFailure() {
        with(service -> {
            assertThatThrownBy(() -> service.one(Mono.error(new UnsupportedOperationException()))
                            .block(LONG))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThat(isLocked()).isFalse();
            assertThatThrownBy(() -> service.fail().block(LONG)).isInstanceOf(UnsupportedOperationException.class);
            assertThat(isLocked()).isFalse();
            Disposable subscription = service.one(Mono.never()).subscribe();
            awaitLocked();
            subscription.dispose();
            Eventually.await().until(() -> !isLocked());
        });
    }

    /** A subscription that is cancelled while it waits acquires nothing. */
    @Test
    void cancelled_whileWaiting() {
        with(service -> {
            Disposable holder = service.one(Mono.never()).subscribe();
            awaitLocked();
            Disposable waiter = service.unlimited().subscribe();
            waiter.dispose();
            holder.dispose();
            Eventually.await().until(() -> !isLocked());
            assertThat(service.one(Mono.just("x")).block(LONG)).isEqualTo("x");
        });
    }

    /** A busy lock is an error, or an empty publisher for a call that is skipped. */
    @Test
    void busy_isErrorOrEmpty() {
        with(service -> {
            Disposable holder = service.one(Mono.never()).subscribe();
            awaitLocked();
            assertThatThrownBy(() -> service.one(Mono.just("x")).block(LONG)).isInstanceOf(LockBusyException.class);
            assertThat(service.skip().blockOptional(LONG)).isEmpty();
            assertThat(service.calls()).isEqualTo(1);
            holder.dispose();
        });
    }

    /** A grant that came before the subscriber has requested anything is returned if that cancels then. */
    @Test
    void cancelled_beforeRequest() {
        runner.run(context -> {
            DistributedLock other = context.getBean(Holdfast.class).getLock("other");
            context.getBean(Service.class).one(Mono.just("x")).subscribe(new BaseSubscriber<>() {
                @Override
                protected void hookOnSubscribe(Subscription subscription) {
                    awaitLocked();
                    // The future of the first grant completes before that of a later one.
                    other.acquireAsync().thenCompose(Lease::releaseAsync).join();
                    subscription.cancel();
                }
            });
            Eventually.await().until(() -> !isLocked());
            assertThat(context.getBean(Service.class).calls()).isZero();
        });
    }

    /** A lock that is lost cancels the work of a mono, and is an error for the subscriber. */
    @Test
    void lost_cancelsMono() {
        with(service -> {
            CompletableFuture<String> cancelled = new CompletableFuture<>();
            assertLost(
                    service.one(Mono.<String>never().doOnCancel(() -> cancelled.complete("cancelled")))
                            .toFuture(),
                    () -> service.calls() == 1,
                    cancelled);
            assertThat(service.one(Mono.just("x")).block(LONG)).isEqualTo("x");
        });
    }

    /** A lock that is lost cancels the work of a flux, and is an error after the elements that were emitted before. */
    @Test
    void lost_cancelsFlux() {
        with(service -> {
            CompletableFuture<String> cancelled = new CompletableFuture<>();
            List<Integer> seen = new CopyOnWriteArrayList<>();
            Flux<Integer> endless = Flux.range(1, 3).concatWith(Flux.never());
            assertLost(
                    service.many(endless.doOnCancel(() -> cancelled.complete("cancelled")))
                            .doOnNext(seen::add)
                            .then()
                            .toFuture(),
                    () -> seen.size() == 3,
                    cancelled);
            assertThat(seen).containsExactly(1, 2, 3);
            assertThat(service.one(Mono.just("x")).block(LONG)).isEqualTo("x");
        });
    }

    /** A lock that turns out to be lost at its release is the same error. */
    @Test
    void lost_seenByRelease() {
        with(service -> {
            assertThatThrownBy(() -> service.one(Mono.fromRunnable(() -> application.delete("reactive")))
                            .block(LONG))
                    .isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(() -> service.many(Flux.range(1, 3).doOnComplete(() -> application.delete("reactive")))
                            .blockLast(LONG))
                    .isInstanceOf(LeaseLostException.class);
        });
    }

    private static void assertLost(
            CompletableFuture<?> result, Callable<Boolean> atWork, CompletableFuture<String> cancelled) {
        Eventually.await().until(atWork);
        application.deleteAndRenew("reactive");
        assertThatThrownBy(() -> result.get(LONG.toSeconds(), TimeUnit.SECONDS))
                .hasCauseInstanceOf(LeaseLostException.class);
        assertThat(cancelled).succeedsWithin(LONG).isEqualTo("cancelled");
    }

    /** Work that ends by itself is not cancelled, and nothing is dropped on the way. */
    @Test
    void completed_isNotCancelled() {
        Queue<Throwable> dropped = new ConcurrentLinkedQueue<>();
        Hooks.onErrorDropped(dropped::add);
        try {
            with(service -> {
                Queue<SignalType> ends = new ConcurrentLinkedQueue<>();
                assertThat(service.one(Mono.just("x").doFinally(ends::add)).block(LONG))
                        .isEqualTo("x");
                assertThat(service.many(Flux.range(1, 3).doFinally(ends::add)).blockLast(LONG))
                        .isEqualTo(3);
                Eventually.await().until(() -> ends.size() == 2); // after the value was delivered
                assertThat(ends).containsExactly(SignalType.ON_COMPLETE, SignalType.ON_COMPLETE);
                assertThat(dropped).isEmpty();
            });
        } finally {
            Hooks.resetOnErrorDropped();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class InnerAdvice {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static DefaultPointcutAdvisor innerAdvisor(AtomicInteger passed) {
            MethodInterceptor counting = invocation -> {
                passed.incrementAndGet();
                return invocation.proceed();
            };
            return new DefaultPointcutAdvisor(AnnotationMatchingPointcut.forMethodAnnotation(Locked.class), counting);
        }
    }

    /** An error that Reactor takes for fatal, and throws instead of signalling it, releases the lock and reaches the caller. */
    @Test
    void fatalError_isSignalled() {
        with(service -> {
            Mono<String> failing = Mono.fromCallable(() -> missing(1));
            assertThatThrownBy(() -> service.one(failing).block(Duration.ofSeconds(20)))
                    .isInstanceOf(NoClassDefFoundError.class);
            assertThat(isLocked()).isFalse();
            Flux<Integer> some = Flux.range(1, 3);
            assertThatThrownBy(() -> service.many(
                                    some.map(LockedReactiveTest::missing).cast(Integer.class))
                            .blockLast(Duration.ofSeconds(20)))
                    .isInstanceOf(NoClassDefFoundError.class);
            assertThat(isLocked()).isFalse();
        });
    }

    /** The token is that of the thread that calls the method; the work runs elsewhere, and the failure says so. */
    @Test
    void tokenInWork_isExplained() {
        with(service -> assertThatThrownBy(() -> service.one(Mono.fromCallable(() -> "" + CurrentLock.token()))
                        .block(Duration.ofSeconds(20)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("before it returns"));
    }

    private static String missing(int number) {
        throw new NoClassDefFoundError("a class that is missing for " + number);
    }

    /** So does one of the subscriber. */
    @Test
    void fatalError_ofSubscriber() {
        with(service -> {
            assertThatThrownBy(() -> service.many(Flux.range(1, 3))
                            .map(LockedReactiveTest::missing)
                            .blockLast(Duration.ofSeconds(20)))
                    .isInstanceOf(NoClassDefFoundError.class);
            assertThat(isLocked()).isFalse();
        });
    }

    static class Service {
        private volatile long token;
        private final AtomicInteger calls = new AtomicInteger();

        @Locked(name = "reactive", waitFor = "0", fenced = true)
        public Mono<String> one(Mono<String> work) {
            token = CurrentLock.token();
            calls.incrementAndGet();
            return work;
        }

        @Locked(name = "reactive")
        public Flux<Integer> many(Flux<Integer> work) {
            return work;
        }

        @Locked(name = "reactive")
        public Mono<String> unlimited() {
            return Mono.never();
        }

        @Locked(name = "reactive", onBusy = OnBusy.SKIP)
        public Mono<String> skip() {
            calls.incrementAndGet();
            return Mono.just("x");
        }

        @Locked(name = "reactive")
        public Mono<String> fail() {
            throw new UnsupportedOperationException();
        }

        public long token() {
            return token;
        }

        public int calls() {
            return calls.get();
        }
    }
}
