package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LeaseLostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
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
        Awaitility.await().until(LockedReactiveTest::isLocked);
    }

    /** Nothing is locked or called before the subscription; then the lock is held until the publisher completes. */
    @Test
    void mono_heldUntilCompleted() {
        with(service -> {
            Mono<String> result = service.one(work.asMono());
            assertThat(isLocked()).isFalse();
            assertThat(service.calls()).isZero();
            CompletableFuture<String> value = result.toFuture();
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
            Awaitility.await().until(() -> !isLocked());
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
            Awaitility.await().until(() -> !isLocked());
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

    /** A lock that is lost cancels the work, and is an error for the subscriber. */
    @Test
    void lost_cancelsWork() {
        with(service -> {
            CompletableFuture<String> cancelled = new CompletableFuture<>();
            CompletableFuture<String> value = service.one(
                            Mono.<String>never().doOnCancel(() -> cancelled.complete("cancelled")))
                    .toFuture();
            awaitLocked();
            application.delete("reactive");
            assertThatThrownBy(value::join).hasCauseInstanceOf(LeaseLostException.class);
            assertThat(cancelled).succeedsWithin(LONG).isEqualTo("cancelled");
            assertThat(service.one(Mono.just("x")).block(LONG)).isEqualTo("x");
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
