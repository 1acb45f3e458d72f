package dev.holdfast.consumers.modules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LossReason;
import dev.holdfast.testkit.junit.HoldfastExtension;
import dev.holdfast.testkit.junit.TestRedis;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test in a named module, beside which the testkit is on the class path: it needs no options of Java. */
@ExtendWith(HoldfastExtension.class)
class ModularTest {
    @Test
    void lease_isLost(TestRedis redis, Holdfast holdfast) throws Exception {
        assertTrue(ModularTest.class.getModule().isNamed());
        assertTrue(Holdfast.class.getModule().isNamed());
        Lease lease = holdfast.getLock("modules:export").acquire();
        redis.loseLease("modules:export");
        assertEquals(
                LossReason.GONE,
                lease.lost().toCompletableFuture().get(30, TimeUnit.SECONDS).reason());
    }
}
