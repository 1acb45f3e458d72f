package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Lease;
import dev.holdfast.testkit.Eventually;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** The lock of a task stays busy for a while from its acquisition on, so that no other instance runs the task again. */
final class LockedKeepForTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @RegisterExtension
    static final LockedApplication application = new LockedApplication();

    private static void with(Consumer<Service> test) {
        application.runner().withBean(Service.class).run(context -> test.accept(context.getBean(Service.class)));
    }

    @AfterEach
    void free() {
        if (application.isLocked("task")) {
            application.delete("task");
        }
    }

    private static void assertKept() {
        Optional<Duration> left = application.rival().getLock("task").remainingLease();
        assertThat(left).hasValueSatisfying(rest -> assertThat(rest).isBetween(Duration.ofMillis(1), MINUTE));
    }

    /** A task that ends at once is not run by another instance at its tick, which comes a little later. */
    @Test
    void kept_afterReturn() {
        with(one -> with(other -> {
            AtomicInteger runs = new AtomicInteger();
            one.task(runs::incrementAndGet);
            other.task(runs::incrementAndGet);
            assertThat(runs).hasValue(1);
            assertKept();
        }));
    }

    /** So it is if the task fails. */
    @Test
    void kept_afterFailure() {
        with(service -> {
            assertThatThrownBy(() -> service.task(() -> {
                        throw new UnsupportedOperationException();
                    }))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertKept();
        });
    }

    /** The time counts from the acquisition: a task that took longer leaves the lock free. */
    @Test
    void free_afterLongTask() {
        with(service -> {
            service.brief(() -> {
                long begin = System.nanoTime();
                Eventually.await()
                        .until(() -> System.nanoTime() - begin
                                > Duration.ofMillis(60).toNanos());
            });
            assertThat(application.isLocked("task")).isFalse();
        });
    }

    /** While the task runs, its lock is renewed: a renewal makes its lease as long as that of any other hold. */
    @Test
    void held_whileRunning() {
        with(service -> service.task(() -> {
            assertThat(CurrentLock.isHeld("task")).isTrue();
            assertThat(application.rival().getLock("task").inspect().holders()).hasSize(1);
        }));
    }

    /** In an open transaction, the lock is kept from its acquisition on as well, and held to the end of the transaction. */
    @Test
    void kept_afterTransaction() {
        application.runner().withBean(Service.class).run(context -> {
            Service service = context.getBean(Service.class);
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(open -> {
                service.task(() -> {});
                assertThat(CurrentLock.isHeld("task")).isTrue();
            });
            assertThat(CurrentLock.isHeld("task")).isFalse();
            assertKept();
        });
    }

    /** Results that complete later keep the lock too. */
    @Test
    void kept_afterResult() {
        with(service -> {
            assertThat(service.future()).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("x");
            assertKept();
            application.delete("task");
            assertThat(service.mono().block(Duration.ofSeconds(20))).isEqualTo("x");
            assertKept();
        });
    }

    /** A thread would wait for itself, whichever of two calls of one lock is the task: it is told so. */
    @Test
    @Timeout(30)
    void innerCall_isRefused() {
        with(service -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> service.task(() -> service.plain(() -> {})))
                    .withMessageContainingAll("plain", "task", "lease");
            application.delete("task");
            assertThatIllegalStateException()
                    .isThrownBy(() -> service.plain(() -> service.task(() -> {})))
                    .withMessageContaining("task");
            assertThat(application.isLocked("task")).isFalse();
            assertThatIllegalStateException()
                    .isThrownBy(() -> service.plain(() -> service.future().join()));
        });
    }

    /** A lease that would end before the time is refused when the application starts, as is a malformed time. */
    @Test
    void lease_isNotShorter() {
        application.assertRefused(ShortLease.class, "lease", "keepFor", "PT9S", "PT10S");
        application.assertRefused(Malformed.class, "keepFor", "soon");
    }

    /** A lock that is busy with another owner is skipped as any other. */
    @Test
    void busy_isSkipped() {
        try (Lease busy = application.rival().getLock("task").acquire()) {
            with(service -> service.task(() -> {
                throw new AssertionError("runs beside " + busy);
            }));
        }
    }

    static class Service {
        @Locked(name = "task", keepFor = "1m", onBusy = OnBusy.SKIP)
        public void task(Runnable body) {
            body.run();
        }

        @Locked(name = "task", keepFor = "50ms")
        public void brief(Runnable body) {
            body.run();
        }

        @Locked(name = "task")
        public void plain(Runnable body) {
            body.run();
        }

        @Locked(name = "task", keepFor = "1m")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture("x");
        }

        @Locked(name = "task", keepFor = "1m")
        public Mono<String> mono() {
            return Mono.just("x");
        }
    }

    static class ShortLease {
        @Locked(keepFor = "10s", lease = "9s")
        public void work() {}
    }

    static class Malformed {
        @Locked(keepFor = "soon")
        public void work() {}
    }
}
