package dev.holdfast;

import static dev.holdfast.BadDay.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Redis answers, but takes no writes for a while: as when it has too few replicas, or no space to save itself to. */
class RefusedWriteTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final BadDay day = new BadDay();

    private final DistributedLock lock = day.client().getLock(NAME);

    /** Who extends a lease then is told that, and has the lock as before. */
    @Test
    void extend() {
        Lease lease = lock.acquire(LONG);
        writeOnlyWithReplicas(1);

        assertThatThrownBy(() -> lease.extend(LONG.multipliedBy(2)))
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "NOREPLICAS");

        assertThat(lease.isValid()).isTrue();
        assertThat(day.heard().lost()).isEmpty();
        writeOnlyWithReplicas(0);
        lease.extend(LONG.multipliedBy(2));
        assertThat(lease.remaining()).isGreaterThan(LONG.plus(Duration.ofSeconds(30)));
        lease.close();
    }

    private void writeOnlyWithReplicas(int replicas) {
        day.server().command("CONFIG", "SET", "min-replicas-to-write", String.valueOf(replicas));
    }
}
