package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.LeaseLostException;
import dev.holdfast.Permits;
import dev.holdfast.SemaphoreInfo.Holder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.Ordered;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** Methods that run with permits of a semaphore. */
@Timeout(60)
final class LimitedMethodTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @RegisterExtension
    static final LockedApplication application = new LockedApplication();

    private final ApplicationContextRunner runner =
            application.runner().withPropertyValues("geo.limit=2").withBean(Geocoder.class);

    private void with(Consumer<Geocoder> test) {
        runner.run(context -> test.accept(context.getBean(Geocoder.class)));
    }

    private static DistributedSemaphore rival(String name) {
        return application.rival().getSemaphore(name, 2);
    }

    private static int held() {
        return rival("geo").inspect().held();
    }

    @AfterEach
    void assertFree() {
        assertThat(held()).isZero();
    }

    /** The method runs with the permits that it names, of as many as the property says, and returns them. */
    @Test
    void permits_areHeld() {
        with(geo -> {
            assertThat(geo.one(LimitedMethodTest::held)).isEqualTo(1);
            assertThat(geo.both(LimitedMethodTest::held)).isEqualTo(2);
            geo.one(() -> {
                rival("geo").acquire().close();
                assertThat(rival("geo").tryAcquire(2)).isEmpty();
                return CurrentPermits.isHeld("geo");
            });
            assertThat(CurrentPermits.isHeld("geo")).isFalse();
            assertThat(held()).isZero();
        });
    }

    /** Permits that stay busy are an exception, or no call. */
    @Test
    void busy_isReported() {
        with(geo -> {
            try (Permits all = rival("geo").acquire(2)) {
                assertThatThrownBy(() -> geo.one(() -> all))
                        .isInstanceOfSatisfying(LockBusyException.class, busy -> assertThat(busy.name())
                                .isEqualTo("geo"))
                        .hasMessageContaining("the semaphore geo is busy");
                assertThat(geo.skip()).isEmpty();
                assertThatThrownBy(() -> geo.mono().block(SOON)).isInstanceOf(LockBusyException.class);
            }
            assertThat(geo.skip()).contains("place");
        });
    }

    /** The key has a semaphore of its own. */
    @Test
    void key_isPartOfTheName() {
        with(geo -> geo.byKey(7, () -> {
            assertThat(CurrentPermits.isHeld("geo:7")).isTrue();
            assertThat(rival("geo:7").inspect().held()).isEqualTo(1);
            assertThatThrownBy(() -> geo.byKeys(List.of(7)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("@Limited", "collection");
            return geo.byKey(8, () -> "beside");
        }));
    }

    /** The number is that of the permits in Redis: it is no other holder's. */
    @Test
    void number_isThatOfThePermits() {
        with(geo -> {
            Permits other = rival("geo").acquire();
            assertThat(geo.<Integer>one(CurrentPermits::number)).isEqualTo(1 - other.number());
            other.close();
            geo.one(() -> geo.byKey(7, () -> {
                assertThat(CurrentPermits.number()).isEqualTo(CurrentPermits.number("geo:7"));
                assertThat(rival("geo").inspect().holders())
                        .extracting(Holder::number)
                        .containsExactly(CurrentPermits.number("geo"));
                return "place";
            }));
            assertThatIllegalStateException()
                    .isThrownBy(CurrentPermits::number)
                    .withMessageContaining("through its bean");
        });
    }

    /** Threads that have a permit, and request another one, would wait for each other: the call says so. */
    @Test
    void again_isRefused() {
        with(geo -> geo.one(() -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> geo.one(() -> "again"))
                    .withMessageContainingAll("one", "the semaphore geo", "wait for each other");
            assertThatIllegalStateException().isThrownBy(geo::skip);
            return held();
        }));
    }

    /** A result that completes later keeps the permits until then. */
    @Test
    void laterResults_keepThePermits() {
        with(geo -> {
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> result = geo.future(work);
            assertThat(held()).isEqualTo(1);
            assertThat(geo.mono().block(SOON)).isEqualTo("place 2");
            work.complete("place");
            assertThat(result).succeedsWithin(SOON).isEqualTo("place");
        });
    }

    /** Permits that were lost are an exception of the call, whatever its result. */
    @Test
    void loss_isReported() {
        with(geo -> {
            assertThatThrownBy(() -> geo.one(LimitedMethodTest::lose)).isInstanceOf(LeaseLostException.class);
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> result = geo.future(work);
            lose();
            work.complete("place");
            assertThat(result).failsWithin(SOON).withThrowableThat().withCauseInstanceOf(LeaseLostException.class);
        });
    }

    private static boolean lose() {
        String owner = rival("geo").inspect().holders().get(0).owner();
        assertThat(rival("geo").forceRelease(owner)).isTrue();
        return true;
    }

    /** Permits that are kept make a rate of the limit: the second call is too early, though the first one has ended. */
    @Test
    void kept_afterReturn() {
        with(geo -> {
            geo.rated();
            assertThatThrownBy(geo::rated).isInstanceOf(LockBusyException.class);
            Holder kept = rival("rated").inspect().holders().get(0);
            assertThat(kept.remainingLease()).isBetween(Duration.ofSeconds(30), Duration.ofMinutes(1));
        });
    }

    /** The method's own transaction is within the permits; one that is open does not keep them, so there may be many calls in it. */
    @Test
    void transactions() {
        runner.run(context -> {
            Geocoder geo = context.getBean(Geocoder.class);
            assertThatThrownBy(() -> geo.inTransaction(() -> {
                        application.lose("geo", LimitedMethodTest::lose, CurrentPermits::isHeld);
                        return TransactionSynchronizationManager.isActualTransactionActive();
                    }))
                    .isInstanceOf(LeaseLostException.class);
            assertThat(geo.committed()).isFalse();
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(open -> {
                assertThat(geo.both(LimitedMethodTest::held)).isEqualTo(2);
                assertThat(held()).isZero();
                assertThat(geo.both(LimitedMethodTest::held)).isEqualTo(2);
            });
        });
    }

    /** The permits are acquired before the lock, and released after it, whatever the order of locks among other advice is. */
    @ParameterizedTest
    @ValueSource(ints = {Ordered.HIGHEST_PRECEDENCE, Ordered.LOWEST_PRECEDENCE - 100, Ordered.LOWEST_PRECEDENCE})
    void withLock_isOutside(int order) {
        runner.withPropertyValues("holdfast.locked.order=" + order).run(context -> {
            Geocoder geo = context.getBean(Geocoder.class);
            geo.alone(() -> {
                assertThat(CurrentPermits.isHeld("geo")).isTrue();
                assertThat(CurrentLock.isHeld("geo")).isTrue();
                return "place";
            });
            try (Permits all = rival("geo").acquire(2)) {
                assertThatThrownBy(() -> geo.alone(() -> all)).hasMessageContaining("the semaphore geo");
            }
            application.rival().getLock("geo").runLocked(() -> assertThatThrownBy(() -> geo.alone(() -> "place"))
                    .hasMessageContaining("the lock geo"));
            application.rival().getLock("geo").runLocked(() -> {
                try (Permits all = rival("geo").acquire(2)) {
                    assertThatThrownBy(() -> geo.alone(() -> all)).hasMessageContaining("the semaphore geo");
                }
            });
            assertThat(application.isLocked("geo")).isFalse();
        });
    }

    static class Geocoder {
        private boolean isCommitted;

        @Limited(name = "geo", permits = "${geo.limit}", waitFor = "0")
        public <T> T one(Supplier<T> body) {
            return body.get();
        }

        @Limited(name = "geo", permits = "2", take = "${geo.limit}", waitFor = "0")
        public <T> T both(Supplier<T> body) {
            return body.get();
        }

        @Limited(name = "geo", permits = "2", onBusy = OnBusy.SKIP)
        public Optional<String> skip() {
            return Optional.of("place");
        }

        @Limited(name = "geo", key = "#area", permits = "2")
        public <T> T byKey(int area, Supplier<T> body) {
            assertThat(area).isPositive();
            return body.get();
        }

        @Limited(name = "geo", key = "#areas", permits = "2")
        public @Nullable String byKeys(List<Integer> areas) {
            throw new AssertionError("runs for " + areas);
        }

        @Limited(name = "geo", permits = "2", waitFor = "0")
        public CompletableFuture<String> future(CompletableFuture<String> work) {
            return work;
        }

        @Limited(name = "geo", permits = "2", waitFor = "0")
        public Mono<String> mono() {
            return Mono.fromCallable(() -> "place " + held());
        }

        @Limited(name = "rated", permits = "1", keepFor = "1m", waitFor = "0")
        public void rated() {}

        @Limited(name = "geo", permits = "2", waitFor = "0")
        @Transactional
        public boolean inTransaction(Supplier<Boolean> body) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCommit() {
                    isCommitted = true;
                }
            });
            return body.get();
        }

        @Limited(name = "geo", permits = "2", waitFor = "0")
        @Locked(name = "geo", waitFor = "0")
        public <T> T alone(Supplier<T> body) {
            return body.get();
        }

        public boolean committed() {
            return isCommitted;
        }
    }
}
