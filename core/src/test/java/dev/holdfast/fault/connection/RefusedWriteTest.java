package dev.holdfast.fault.connection;

import static dev.holdfast.FaultyRedis.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Lease;
import dev.holdfast.LockException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Redis replies but refuses writes for a while: as with too few replicas, or without space to save its data. */
@Tag("fault")
@Tag("slow")
class RefusedWriteTest {
    private static final String NAME = "orders:42";

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final DistributedLock lock = faulty.client().getLock(NAME);

    /** An extension then fails with that reason, and the lock is still held. */
    @Test
    void extend() {
        Lease lease = lock.acquire(LONG);
        writeOnlyWithReplicas(1);

        assertThatThrownBy(() -> lease.extend(LONG.multipliedBy(2)))
                .isExactlyInstanceOf(LockException.class)
                .hasMessageContainingAll(NAME, "NOREPLICAS");

        assertThat(lease.isValid()).isTrue();
        assertThat(faulty.events().lost()).isEmpty();
        writeOnlyWithReplicas(0);
        lease.extend(LONG.multipliedBy(2));
        assertThat(lease.remaining()).isGreaterThan(LONG.plus(Duration.ofSeconds(30)));
        lease.close();
    }

    private void writeOnlyWithReplicas(int replicas) {
        faulty.server().command("CONFIG", "SET", "min-replicas-to-write", String.valueOf(replicas));
    }
}
