package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LeaseLostException;
import dev.holdfast.testkit.Eventually;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What the attributes of the annotation do, without transactions. */
final class LockedMethodTest {
    @RegisterExtension
    static final LockedApplication application = new LockedApplication();

    private final ApplicationContextRunner runner = application
            .runner()
            .withBean(Shop.class)
            .withBean("tenant", String.class, () -> "acme")
            .withPropertyValues("shop.name=corner");

    private void with(Consumer<Shop> test) {
        runner.run(context -> test.accept(context.getBean(Shop.class)));
    }

    /** Calls the body while another client holds the lock. */
    private static void whileBusy(String name, Runnable body) {
        application.rival().getLock(name).lock();
        try {
            body.run();
        } finally {
            application.rival().getLock(name).unlock();
        }
    }

    /** The name of the lock is made of the name, its placeholders, and the value of the key. */
    @Test
    void name_isMadeOfKey() {
        with(shop -> {
            assertThat(shop.byName(new Order(42, "x"))).isEqualTo("orders:42");
            assertThat(shop.byPosition(new Order(42, "x"))).isEqualTo("orders:x");
            assertThat(shop.byBean()).isEqualTo("corner:acme");
            assertThat(shop.byMethod()).isEqualTo(Shop.class.getName() + ".byMethod");
        });
    }

    /** A key without a value is an error, and not a lock for everything. */
    @Test
    void key_isNull() {
        with(shop -> assertThatThrownBy(() -> shop.byPosition(new Order(42, null)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("#p0.code"));
    }

    /** The lock is released when the method returns or throws. */
    @Test
    void release_whenDone() {
        with(shop -> {
            assertThat(shop.byName(new Order(1, "x"))).isEqualTo("orders:1");
            assertThat(application.isLocked("orders:1")).isFalse();
            assertThatThrownBy(() -> shop.run(() -> {
                        throw new UnsupportedOperationException();
                    }))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasNoSuppressedExceptions();
            assertThat(application.isLocked("run")).isFalse();
        });
    }

    /** A busy lock is an exception that names it and how long the call has waited, which is the wait of the annotation. */
    @Test
    void busy_throws() {
        with(shop -> whileBusy("orders:1", () -> assertThatThrownBy(() -> shop.byName(new Order(1, "x")))
                .isInstanceOfSatisfying(LockBusyException.class, e -> {
                    assertThat(e.name()).isEqualTo("orders:1");
                    assertThat(e.waited()).isGreaterThanOrEqualTo(Duration.ofMillis(20));
                    assertThat(e)
                            .hasMessage("the lock orders:1 is busy; waited for it for "
                                    + e.waited().toMillis() + " ms");
                })));
    }

    /** A call that is skipped does not call the method, and has an empty result. */
    @Test
    void busy_skips() {
        with(shop -> {
            whileBusy("skip", () -> {
                shop.skip();
                assertThat(shop.skipValue()).isNull();
                assertThat(shop.skipOptional()).isEmpty();
                assertThat(shop.calls()).isZero();
            });
            shop.skip();
            assertThat(shop.skipValue()).isEqualTo(2);
            assertThat(shop.skipOptional()).hasValue(3);
        });
    }

    /** Without a wait of its own, a method waits as the property says. */
    @Test
    void waitFor_isProperty() {
        runner.withPropertyValues("holdfast.locked.wait-for=0")
                .run(context -> whileBusy("run", () -> assertThatThrownBy(
                                () -> context.getBean(Shop.class).run(() -> {}))
                        .isInstanceOf(LockBusyException.class)));
    }

    /** Without any limit, it waits until the lock is free. */
    @Test
    void waitFor_isUnlimited() {
        with(shop -> {
            CompletableFuture<?>[] call = new CompletableFuture<?>[1];
            whileBusy("run", () -> {
                call[0] = CompletableFuture.runAsync(() -> shop.run(() -> {}));
                Eventually.await().until(() -> shop.waiters() == 1);
                assertThat(call[0]).isNotDone();
            });
            call[0].join();
        });
    }

    /** An interrupt ends the wait, and the flag stays set. */
    @Test
    void interrupt_endsWait() {
        with(shop -> whileBusy("run", () -> {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> shop.run(() -> {}))
                    .isInstanceOf(LockBusyException.class)
                    .hasCauseInstanceOf(InterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
        }));
    }

    /** The lease of the annotation, or of the property, is that of the lock. */
    @Test
    void lease_isApplied() {
        with(shop -> assertThat(shop.leased()).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5)));
        runner.withPropertyValues("holdfast.locked.lease=10m")
                .run(context -> context.getBean(Shop.class).run(() -> assertThat(application
                                .rival()
                                .getLock("run")
                                .remainingLease()
                                .orElseThrow())
                        .isGreaterThan(Duration.ofMinutes(9))));
    }

    /** A fenced method knows its token, which grows from call to call; another one has none. */
    @Test
    void fenced_hasToken() {
        with(shop -> {
            long first = shop.fenced();
            assertThat(first).isPositive();
            assertThat(shop.fenced()).isGreaterThan(first);
            shop.run(() -> assertThatThrownBy(CurrentLock::token).isInstanceOf(IllegalStateException.class));
            assertThatThrownBy(CurrentLock::token).isInstanceOf(IllegalStateException.class);
        });
    }

    /** A method under a lock may call another one under the same lock. */
    @Test
    void reentry_sameThread() {
        with(shop -> {
            shop.run(() -> shop.run(() -> assertThat(CurrentLock.isHeld("run")).isTrue()));
            assertThat(CurrentLock.isHeld("run")).isFalse();
            assertThat(application.isLocked("run")).isFalse();
        });
    }

    /** A lock that was lost is an exception of the call, or suppressed in that of the method. */
    @Test
    void loss_isReported() {
        with(shop -> {
            assertThatThrownBy(() -> shop.run(() -> application.delete("run"))).isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(() -> shop.run(() -> {
                        application.delete("run");
                        throw new UnsupportedOperationException();
                    }))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .satisfies(e -> assertThat(e.getSuppressed()).hasOnlyElementsOfType(LeaseLostException.class));
            shop.run(() -> {});
        });
    }

    /** A call under a lock that the thread has lost does not acquire it anew, and the outer call reports the loss too. */
    @Test
    void loss_endsReentry() {
        with(shop -> {
            assertThatThrownBy(() -> shop.run(() -> {
                        application.lose("run");
                        assertThatThrownBy(() -> shop.run(() -> {})).isInstanceOf(LeaseLostException.class);
                        assertThat(application.isLocked("run")).isFalse();
                    }))
                    .isInstanceOf(LeaseLostException.class);
            shop.run(() -> assertThat(CurrentLock.isHeld("run")).isTrue());
        });
    }

    record Order(int id, @Nullable String code) {}

    static class Shop {
        private final ObjectProvider<dev.holdfast.Holdfast> client;
        private int calls;

        Shop(ObjectProvider<dev.holdfast.Holdfast> client) {
            this.client = client;
        }

        private static String held(String name) {
            assertThat(CurrentLock.isHeld(name)).isTrue();
            assertThat(application.isLocked(name)).isTrue();
            return name;
        }

        @Locked(name = "orders", key = "#order.id", waitFor = "10s")
        public String byName(Order order) {
            return held("orders:" + order.id());
        }

        @Locked(name = "orders", value = "#p0.code")
        public String byPosition(Order order) {
            return held("orders:" + order.code());
        }

        @Locked(name = "${shop.name}", key = "@tenant")
        public String byBean() {
            return held("corner:acme");
        }

        @Locked
        public String byMethod() {
            return held(Shop.class.getName() + ".byMethod");
        }

        @Locked(name = "run")
        public void run(Runnable body) {
            body.run();
        }

        @Locked(name = "skip", onBusy = OnBusy.SKIP)
        public void skip() {
            calls++;
        }

        @Locked(name = "skip", onBusy = OnBusy.SKIP)
        public @Nullable Integer skipValue() {
            return ++calls;
        }

        @Locked(name = "skip", onBusy = OnBusy.SKIP)
        public Optional<Integer> skipOptional() {
            return Optional.of(++calls);
        }

        @Locked(name = "leased", lease = "PT5M")
        public Duration leased() {
            return application.rival().getLock("leased").remainingLease().orElseThrow();
        }

        @Locked(name = "fenced", fenced = true)
        public long fenced() {
            return CurrentLock.token();
        }

        public int calls() {
            return calls;
        }

        public long waiters() {
            return client.getObject().stats().waiters();
        }
    }
}
