package dev.holdfast.fault.several;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.Lease;
import dev.holdfast.MultiLease;
import dev.holdfast.MultiLock;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import dev.holdfast.testkit.FaultProxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The commands that several locks of one server cost. */
@Tag("fault")
final class MultiLockCostTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    @AutoClose
    private final FaultProxy proxy = FaultProxy.inFrontOf(redis.server());

    @AutoClose
    private final Holdfast client = redis.connect(builder -> builder.redisUri(proxy.uri()));

    private static String key(String name) {
        return redis.name() + ":" + name;
    }

    private MultiLock multi() {
        return Holdfast.multiLock(client.getLock(key("a")), client.getLock(key("b")), client.getLock(key("c")));
    }

    /** Locks that are free are acquired by one command, in one round trip. */
    @Test
    void free_oneCommand() {
        proxy.resetCounters();
        MultiLease lease = multi().acquire();
        assertThat(proxy.commands("EVALSHA")).isEqualTo(1);
        assertThat(redis.keys()).containsExactlyInAnyOrder(key("a"), key("b"), key("c"));
        lease.close();
        assertThat(redis.keys()).isEmpty();
    }

    /** Plain and fenced locks are acquired by a command each; the fenced ones have their tokens. */
    @Test
    void free_oneCommandForEachKind() {
        proxy.resetCounters();
        MultiLock mixed = Holdfast.multiLock(
                client.getFencedLock(key("a")),
                client.getLock(key("b")),
                client.getFencedLock(key("c")),
                client.getLock(key("d")));
        try (MultiLease lease = mixed.acquire()) {
            assertThat(proxy.commands("EVALSHA")).isEqualTo(2);
            assertThat(lease.token(mixed.locks().get(0))).isPositive();
            assertThat(lease.token(mixed.locks().get(2))).isPositive();
        }
    }

    /** A call that does not wait acquires none of the locks if one is busy, so none has to be released. */
    @Test
    void busy_noneIsAcquired() {
        for (String busy : List.of("a", "b", "c")) {
            try (Lease held = redis.rival().getLock(key(busy)).acquire()) {
                proxy.resetCounters();
                assertThat(multi().tryLock()).isFalse();
                Patience.await().until(() -> !Inside.residue(client).contains("calls in flight"));
                assertThat(proxy.commands("EVALSHA")).isEqualTo(1);
                assertThat(held.isValid()).isTrue();
            }
        }
    }

    /** A call that waits has the locks before the busy one, and has not acquired those behind it. */
    @Test
    void busy_thoseBeforeAreAcquired() {
        Lease held = redis.rival().getLock(key("b")).acquire();
        proxy.resetCounters();
        CompletableFuture<MultiLease> waiting = multi().acquireAsync();
        Patience.await().until(() -> client.stats().waiters() == 1);
        assertThat(redis.keys()).containsExactlyInAnyOrder(key("a"), key("b"));
        held.close();
        Patience.get(waiting).close();
    }

    /** If the reply is lost, the locks are acquired all the same, by a command for each. */
    @Test
    void replyLost_eachIsRepeated() {
        multi().acquire().close();
        proxy.cutInsteadOfReplyTo(key("b"));
        try (MultiLease lease = Patience.get(multi().acquireAsync())) {
            assertThat(lease.isValid()).isTrue();
            assertThat(redis.rival().getLock(key("b")).tryLock()).isFalse();
        }
        assertThat(proxy.lostReplies()).isEqualTo(1);
        assertThat(redis.keys()).isEmpty();
    }
}
