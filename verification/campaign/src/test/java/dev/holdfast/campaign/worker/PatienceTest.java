package dev.holdfast.campaign.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The wait for a future that may be cancelled. */
class PatienceTest {
    /** A result in time is returned; a future without one is cancelled. */
    @Test
    void await_inTimeOrCancelled() throws Exception {
        CompletableFuture<String> never = new CompletableFuture<>();

        assertThat(Patience.await(CompletableFuture.completedFuture("here"), Optional.of(Duration.ZERO)))
                .isEqualTo("here");
        assertThatThrownBy(() -> Patience.await(never, Optional.of(Duration.ofMillis(1))))
                .isInstanceOf(CancellationException.class);
        assertThat(never).isCancelled();
    }

    /** The result of a future that can no longer be cancelled is returned. */
    @Test
    void await_tooLateToCancel() throws Exception {
        CompletableFuture<String> stubborn = new CompletableFuture<>() {
            @Override
            public boolean cancel(boolean mayInterrupt) {
                complete("granted just now");
                return false;
            }
        };

        assertThat(Patience.await(stubborn, Optional.of(Duration.ofMillis(1)))).isEqualTo("granted just now");
    }
}
