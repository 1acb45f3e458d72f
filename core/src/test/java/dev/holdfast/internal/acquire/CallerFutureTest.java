package dev.holdfast.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A future is decided once, before any dependent action runs, whoever completes it and by whichever method. */
@Tag("pure")
class CallerFutureTest {
    private final List<String> events = new ArrayList<>();
    private final CallerFuture<String> future = new CallerFuture<>() {
        @Override
        protected void onCallerCompletes() {
            events.add("decided");
        }
    };

    static List<Consumer<CompletableFuture<String>>> waysToComplete() {
        return List.of(
                future -> future.complete("value"),
                future -> future.completeExceptionally(new IllegalStateException()),
                future -> future.cancel(true),
                future -> future.completeAsync(() -> "value", Runnable::run),
                future -> future.completeAsync(
                        () -> {
                            throw new IllegalStateException();
                        },
                        Runnable::run),
                future -> future.obtrudeValue("value"),
                future -> future.obtrudeException(new IllegalStateException()));
    }

    /** The client is notified of a completion by the caller before the caller's own dependent actions run. */
    @ParameterizedTest
    @MethodSource("waysToComplete")
    @SuppressWarnings("FutureReturnValueIgnored") // the test checks the future itself
    void callerCompletes_isDecidedFirst(Consumer<CompletableFuture<String>> way) {
        future.whenComplete((value, failure) -> events.add("dependent"));

        way.accept(future);

        assertThat(events).containsExactly("decided", "dependent");
        assertThat(future.decide()).isFalse();
    }

    /** A timeout is a completion by the caller. */
    @Test
    void timeout_isDecided() {
        CompletableFuture<String> timed = future.completeOnTimeout("late", 1, TimeUnit.MILLISECONDS);

        assertThat(timed.join()).isEqualTo("late");
        assertThat(future.decide()).isFalse();
    }

    /** After the client has decided, the caller can no longer complete the future. */
    @Test
    void clientDecides_callerIsLate() {
        assertThat(future.decide()).isTrue();

        assertThat(future.complete("caller's")).isFalse();
        assertThat(future.cancel(true)).isFalse();
        future.completeByClient("the client's");

        assertThat(future).isCompletedWithValue("the client's");
        assertThat(events).isEmpty();
    }

    /** Cancelling a cancelled future returns true again; cancelling a completed one returns false. */
    @Test
    void cancelTwice_isTrueTwice() {
        assertThat(future.cancel(true)).isTrue();
        assertThat(future.cancel(true)).isTrue();
        assertThat(future).isCancelled();
    }
}
