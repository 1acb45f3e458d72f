package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LeaseLostException;
import dev.holdfast.SharedRedis;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A body that runs under the lock: its exceptions are thrown to the caller. */
@Tag("client")
final class RunLockedTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    /** The body runs while the lock is held, and the lock is released after it. */
    @Test
    void runLocked_holdsMeanwhile() {
        boolean[] locked = new boolean[1];
        redis.lock().runLocked(() -> locked[0] = redis.lock().isLocked());
        assertThat(locked[0]).isTrue();
        assertThat(redis.lock().isLocked()).isFalse();
    }

    /** The result of the body is returned. */
    @Test
    void callLocked_returns() throws Exception {
        assertThat(redis.lock().callLocked(() -> redis.lock().isLocked())).isTrue();
    }

    /** An exception of the body is thrown, checked or not, and the lock is released. */
    @Test
    void bodyThrows_isThrown() {
        IllegalArgumentException unchecked = new IllegalArgumentException("the body's");
        assertThatThrownBy(() -> redis.lock().runLocked(() -> {
                    throw unchecked;
                }))
                .isSameAs(unchecked)
                .hasNoSuppressedExceptions();
        IOException checked = new IOException("the body's");
        Callable<Void> body = () -> {
            throw checked;
        };
        assertThatThrownBy(() -> redis.lock().callLocked(body)).isSameAs(checked);
        assertThat(redis.lock().isLocked()).isFalse();
    }

    /** A release that fails after the body has thrown does not replace the body's exception. */
    @Test
    void bodyThrows_releaseFailsToo() {
        IllegalArgumentException thrown = new IllegalArgumentException("the body's");
        assertThatThrownBy(() -> redis.lock().runLocked(() -> {
                    assertThat(redis.lock().forceUnlock()).isTrue();
                    throw thrown;
                }))
                .isSameAs(thrown)
                .satisfies(e -> assertThat(e.getSuppressed()).singleElement().isInstanceOf(LeaseLostException.class));
    }

    /** If the lease was lost while the body ran to its end, exclusion was not guaranteed, and the call throws. */
    @Test
    void bodyEndsWell_leaseLost() {
        assertThatThrownBy(() -> redis.lock()
                        .runLocked(() -> assertThat(redis.lock().forceUnlock()).isTrue()))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining(redis.name());
    }
}
