package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.testkit.RedisBinary;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The channel of a client's waiters is at another node while it is not confirmed. */
@Tag("topology")
@Tag("slow")
@SuppressWarnings("WaitNotInLoop") // what one wait does is what is tested
final class ConditionChannelTest {
    /** A thread that is about to wait when the master dies waits at the new one. */
    @Test
    void await_masterDies_beforeConfirmed() {
        try (Shard shard = new Shard(RedisBinary.byDefault())) {
            DistributedLock lock = shard.client.getLock("orders:42");
            CompletableFuture<Void> held = new CompletableFuture<>();
            CompletableFuture<Void> killed = new CompletableFuture<>();
            CompletableFuture<Boolean> waited = elsewhere(() -> lock.callLocked(() -> {
                held.complete(null);
                killed.join();
                boolean unused = lock.getCondition("full").await(1, TimeUnit.MILLISECONDS);
                return lock.isHeldByCurrentThread();
            }));
            get(held);
            shard.cutReplication();
            shard.master.server().kill();
            killed.complete(null);

            shard.takeOver();

            assertThat(get(waited)).isTrue();
        }
    }
}
