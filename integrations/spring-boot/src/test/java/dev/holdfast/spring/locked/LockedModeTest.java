package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.WrongKindException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

/** Methods that read share their lock, and exclude those that write. */
@Timeout(60)
final class LockedModeTest {
    private static final Duration SOON = Duration.ofSeconds(20);

    @RegisterExtension
    static final LockedApplication application = new LockedApplication();

    private static void with(Consumer<Prices> test) {
        application.runner().withBean(Prices.class).run(context -> test.accept(context.getBean(Prices.class)));
    }

    private static DistributedReadWriteLock rival() {
        return application.rival().getReadWriteLock("prices");
    }

    private static void assertFree() {
        assertThat(rival().inspect().isLocked()).isFalse();
    }

    /** While a method reads, another client reads, too, and writes no more than it could while a method writes. */
    @Test
    void read_isShared() {
        with(prices -> {
            prices.read(() -> {
                assertThat(CurrentLock.isHeld("prices")).isTrue();
                rival().readLock().acquire().close();
                assertThat(rival().writeLock().tryLock()).isFalse();
            });
            prices.write(() -> {
                assertThat(CurrentLock.isHeld("prices")).isTrue();
                assertThat(rival().readLock().tryLock()).isFalse();
                assertThat(rival().writeLock().tryLock()).isFalse();
            });
            assertFree();
        });
    }

    /** A lock that stays busy is an exception, or no call. */
    @Test
    void busy_isReported() {
        with(prices -> {
            try (Lease writer = rival().writeLock().acquire()) {
                assertThatThrownBy(() -> prices.read(() -> {})).isInstanceOf(LockBusyException.class);
                prices.skip(() -> {
                    throw new AssertionError("runs beside " + writer);
                });
            }
            try (Lease reader = rival().readLock().acquire()) {
                assertThatThrownBy(() -> prices.write(() -> {})).isInstanceOf(LockBusyException.class);
                prices.read(() -> assertThat(reader.isValid()).isTrue());
            }
        });
    }

    /** A thread that has the lock enters it again, and one that writes may read. */
    @Test
    void reentry_sameThread() {
        with(prices -> {
            prices.read(() -> prices.read(() -> {}));
            prices.write(() -> prices.read(() ->
                    prices.write(() -> assertThat(rival().readLock().tryLock()).isFalse())));
            assertFree();
        });
    }

    /** A thread that reads would wait for itself if it wrote, also where a busy lock is skipped: it is told so. */
    @Test
    void upgrade_isRefused() {
        with(prices -> prices.read(() -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> prices.write(() -> {}))
                    .withMessageContainingAll("write", "prices", "for reading", "make that method WRITE");
            assertThatIllegalStateException().isThrownBy(() -> prices.skip(() -> {}));
            assertThat(CurrentLock.isHeld("prices")).isTrue();
        }));
        assertFree();
    }

    /** In an open transaction, a method that reads holds its lock to the end, so that none can write before. */
    @Test
    void upgrade_inOpenTransaction() {
        application.runner().withBean(Prices.class).run(context -> {
            Prices prices = context.getBean(Prices.class);
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(open -> {
                prices.read(() -> {});
                assertThat(rival().writeLock().tryLock()).isFalse();
                assertThatIllegalStateException()
                        .isThrownBy(() -> prices.write(() -> {}))
                        .withMessageContaining("transaction");
            });
            prices.write(() -> {});
            assertFree();
        });
    }

    /** A method that has written, and then reads in one transaction, releases both after the commit. */
    @Test
    void readAfterWrite_inOpenTransaction() {
        application.runner().withBean(Prices.class).run(context -> {
            Prices prices = context.getBean(Prices.class);
            new TransactionTemplate(context.getBean(PlatformTransactionManager.class)).executeWithoutResult(open -> {
                prices.write(() -> {});
                prices.read(() -> {});
                assertThat(rival().readLock().tryLock()).isFalse();
            });
            assertFree();
        });
    }

    /** A lock that was lost is an exception of the call, whichever mode it has; a call within it acquires nothing anew. */
    @Test
    void loss_isReported() {
        with(prices -> {
            assertThatThrownBy(() -> prices.read(() -> rival().forceUnlock())).isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(() -> prices.write(() -> {
                        application.lose("prices", () -> rival().forceUnlock());
                        assertThatThrownBy(() -> prices.read(() -> {})).isInstanceOf(LeaseLostException.class);
                        assertFree();
                    }))
                    .isInstanceOf(LeaseLostException.class);
            prices.write(() -> assertThat(CurrentLock.isHeld("prices")).isTrue());
        });
    }

    /** Results that complete later have a lease of their own, which others share as well. */
    @Test
    void laterResults_share() {
        with(prices -> {
            CompletableFuture<String> work = new CompletableFuture<>();
            CompletableFuture<String> result = prices.future(work);
            assertThat(prices.mono().block(SOON)).isEqualTo("x");
            assertThat(rival().writeLock().tryLock()).isFalse();
            work.complete("y");
            assertThat(result).succeedsWithin(SOON).isEqualTo("y");
            Awaitility.await().until(() -> !rival().inspect().isLocked());
        });
    }

    /** Several locks at once are shared as each by itself is, and written as such. */
    @Test
    void several_haveTheMode() {
        with(prices -> {
            try (Lease other =
                    application.rival().getReadWriteLock("items:2").readLock().acquire()) {
                prices.readAll(List.of(1, 2), () -> assertThat(application
                                .rival()
                                .getReadWriteLock("items:1")
                                .writeLock()
                                .tryLock())
                        .isFalse());
                assertThatThrownBy(() -> prices.writeAll(List.of(1, 2), () -> {}))
                        .isInstanceOf(LockBusyException.class);
                assertThat(other.isValid()).isTrue();
            }
            prices.writeAll(List.of(1, 2), () -> assertThat(application
                            .rival()
                            .getReadWriteLock("items:2")
                            .readLock()
                            .tryLock())
                    .isFalse());
        });
    }

    /** What could not be kept is refused at the start, with what to do instead. */
    @Test
    void excluded_isRefused() {
        application.assertRefused(Fenced.class, "fenced", "WRITE", "or the mode");
        application.assertRefused(KeptReading.class, "keepFor", "use WRITE");
        application.runner().withBean(KeptWriting.class).run(context -> assertThat(context)
                .hasNotFailed());
    }

    /** One name for a read-write lock and for another one is refused at the start, unless the clients differ. */
    @Test
    void name_hasOneKind() {
        application.assertRefused(TwoKinds.class, "mixed", "READ", "EXCLUSIVE", "read()", "plain()", "another name");
        application
                .runner()
                .withBean(
                        "main",
                        Holdfast.class,
                        () -> Holdfast.connect(application.redis().uri()),
                        bean -> bean.setPrimary(true))
                .withBean(
                        "other",
                        Holdfast.class,
                        () -> Holdfast.connect(application.redis().uri()))
                .withBean(TwoClients.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    /** Where the name depends on the call, the call that finds a lock of another kind says so. */
    @Test
    void name_ofAnotherKind() {
        with(prices -> prices.readAll(List.of(7), () -> assertThatThrownBy(() -> prices.plain(7))
                .isInstanceOf(WrongKindException.class)
                .hasMessageContaining("items:7")));
    }

    static class Prices {
        @Locked(name = "prices", mode = LockedMode.READ, waitFor = "0")
        public void read(Runnable body) {
            body.run();
        }

        @Locked(name = "prices", mode = LockedMode.WRITE, waitFor = "0")
        public void write(Runnable body) {
            body.run();
        }

        @Locked(name = "prices", mode = LockedMode.WRITE, onBusy = OnBusy.SKIP)
        public void skip(Runnable body) {
            body.run();
        }

        @Locked(name = "prices", mode = LockedMode.READ)
        public CompletableFuture<String> future(CompletableFuture<String> work) {
            return work;
        }

        @Locked(name = "prices", mode = LockedMode.READ)
        public Mono<String> mono() {
            return Mono.just("x");
        }

        @Locked(name = "items", key = "#p0", mode = LockedMode.READ)
        public void readAll(List<Integer> items, Runnable body) {
            body.run();
        }

        @Locked(name = "items", key = "#p0", mode = LockedMode.WRITE, waitFor = "0")
        public void writeAll(List<Integer> items, Runnable body) {
            body.run();
        }

        @Locked(name = "items", key = "#p0")
        public void plain(int item) {}
    }

    static class Fenced {
        @Locked(mode = LockedMode.WRITE, fenced = true)
        public void work() {}
    }

    static class KeptReading {
        @Locked(mode = LockedMode.READ, keepFor = "1s")
        public void work() {}
    }

    static class KeptWriting {
        @Locked(mode = LockedMode.WRITE, keepFor = "1s")
        public void work() {}
    }

    static class TwoKinds {
        @Locked(name = "mixed", mode = LockedMode.READ)
        public void read() {}

        @Locked(name = "${absent:mixed}")
        public void plain() {}
    }

    static class TwoClients {
        @Locked(name = "mixed", mode = LockedMode.READ)
        public void read() {}

        @Locked(name = "mixed", client = "other")
        public void plain() {}
    }
}
