package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The lock of a method that returns a future is held until that has completed. */
final class LockedFutureTest {
    @RegisterExtension
    static final LockedApplication application = new LockedApplication();

    private final CompletableFuture<String> work = new CompletableFuture<>();
    private final ApplicationContextRunner runner = application.runner().withBean(Service.class);

    private void with(Consumer<Service> test) {
        runner.run(context -> test.accept(context.getBean(Service.class)));
    }

    private static boolean isLocked() {
        return application.isLocked("future");
    }

    /** The lock is held until the work is done, and is free when the caller sees the result. */
    @Test
    void held_untilCompleted() {
        with(service -> {
            CompletableFuture<String> result = service.run(work);
            assertThat(isLocked()).isTrue();
            assertThat(result).isNotDone();
            assertThat(service.token()).isPositive();
            work.complete("done");
            assertThat(result.join()).isEqualTo("done");
            assertThat(isLocked()).isFalse();
        });
    }

    /** A stage that fails, and a method that throws, release the lock. */
    @Test
    void released_afterFailure() {
        with(service -> {
            CompletionStage<String> result = service.stage(work);
            work.completeExceptionally(new UnsupportedOperationException());
            assertThatThrownBy(() -> result.toCompletableFuture().join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(UnsupportedOperationException.class);
            assertThat(isLocked()).isFalse();
            assertThatThrownBy(service::fail).isInstanceOf(UnsupportedOperationException.class);
            assertThat(isLocked()).isFalse();
        });
    }

    /** A method that returns null instead of a future has done its work: the lock is released, and the result completes. */
    @Test
    void released_withoutFuture() {
        with(service -> {
            assertThat(service.none()).succeedsWithin(Duration.ofSeconds(20)).isNull();
            assertThat(isLocked()).isFalse();
        });
    }

    /** A lock that was lost while the work ran fails the result. */
    @Test
    void lost_failsResult() {
        with(service -> {
            CompletableFuture<String> result = service.run(work);
            application.delete("future");
            work.complete("done");
            assertThatThrownBy(result::join).hasCauseInstanceOf(LeaseLostException.class);
        });
    }

    /** The lock belongs to the result, so the same thread does not get it again. */
    @Test
    void busy_forSameThread() {
        with(service -> {
            CompletableFuture<String> result = service.run(work);
            assertThatThrownBy(() -> service.run(work)).isInstanceOf(LockBusyException.class);
            assertThat(service.skip(work)).isCompletedWithValue(null);
            work.complete("done");
            result.join();
            assertThat(service.skip(work))
                    .succeedsWithin(Duration.ofSeconds(20))
                    .isEqualTo("done");
        });
    }

    /** An interrupt ends the wait, though it has no limit, and the flag stays set. */
    @Test
    void interrupt_endsWait() {
        with(service -> {
            try (Lease busy = application.rival().getLock("future").acquire(Duration.ofMinutes(1))) {
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> service.stage(work))
                        .isInstanceOf(LockBusyException.class)
                        .hasCauseInstanceOf(InterruptedException.class);
                assertThat(Thread.interrupted()).isTrue();
                assertThat(busy.isValid()).isTrue();
            }
        });
    }

    static class Service {
        private long token;

        @Locked(name = "future", waitFor = "0", fenced = true)
        public CompletableFuture<String> run(CompletableFuture<String> work) {
            token = CurrentLock.token();
            return work;
        }

        @Locked(name = "future")
        public CompletionStage<String> stage(CompletableFuture<String> work) {
            return work.thenApply(text -> text);
        }

        @Locked(name = "future")
        public CompletableFuture<String> fail() {
            throw new UnsupportedOperationException();
        }

        @Locked(name = "future")
        public @Nullable CompletableFuture<String> none() {
            return null;
        }

        @Locked(name = "future", onBusy = OnBusy.SKIP)
        public CompletableFuture<@Nullable String> skip(CompletableFuture<String> work) {
            return work.thenApply(text -> text);
        }

        public long token() {
            return token;
        }
    }
}
