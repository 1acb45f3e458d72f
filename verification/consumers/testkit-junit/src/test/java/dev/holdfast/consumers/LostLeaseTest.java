package dev.holdfast.consumers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.testkit.junit.HoldfastExtension;
import dev.holdfast.testkit.junit.TestRedis;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test of an application whose only dependencies are the library and the testkit. */
@ExtendWith(HoldfastExtension.class)
class LostLeaseTest {
    @Test
    void lease_isLost(TestRedis redis, Holdfast holdfast) throws Exception {
        Lease lease = holdfast.getLock("export").acquire();
        redis.loseLease("export");
        assertEquals(
                LossReason.GONE,
                lease.lost().toCompletableFuture().get(30, TimeUnit.SECONDS).reason());
        assertThrows(LeaseLostException.class, lease::close);
    }
}
