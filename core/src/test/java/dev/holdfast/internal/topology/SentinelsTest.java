package dev.holdfast.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.redis.NodeAddress;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which of the addresses that sentinels name and report is that of the master. */
@Tag("pure")
final class SentinelsTest {
    private static final String MASTER = "some-master";

    /** By then, the other sentinels may not have heard of a failover. */
    private static final Duration LONGER_THAN_A_SECOND = Duration.ofSeconds(2);

    private final NodeAddress old = Nodes.address(2);
    private final NodeAddress fresh = Nodes.address(3);
    private final LockKey lock = new LockKey(new PlainKind(), "orders:42", "");

    @AutoClose
    private final Nodes<Sentinels> nodes = new Nodes<>(
            "redis-sentinel://127.0.0.1:1/0#" + MASTER,
            (parts, seed) -> new Sentinels(parts.settings(), parts.session(), parts.driver()));

    private final Sentinels sentinels = nodes.group();
    private final Sentinel sentinel = sentinels.sentinels().get(0);

    private boolean hasMaster() {
        return sentinels.isHome(lock, sentinels.of(lock));
    }

    /** A master that was reported as replaced is not used again, however long most sentinels still name it. */
    @Test
    void replaced_isNotUsed() {
        sentinels.apply(old);
        assertThat(hasMaster()).isTrue();
        sentinels.switched(sentinel, MASTER, old, fresh);
        assertThat(hasMaster()).isFalse();

        nodes.pass(LONGER_THAN_A_SECOND);
        sentinels.apply(old);
        assertThat(hasMaster()).isFalse();
        sentinels.apply(fresh);
        assertThat(hasMaster()).isTrue();
    }

    /** The same if the report comes while no master is known. */
    @Test
    void replaced_beforeItWasUsed() {
        sentinels.switched(sentinel, MASTER, old, fresh);
        sentinels.apply(old);
        assertThat(hasMaster()).isFalse();
        sentinels.apply(fresh);
        assertThat(hasMaster()).isTrue();
    }

    /** A report that comes after the new master is known changes nothing. */
    @Test
    void report_isLate() {
        sentinels.apply(fresh);
        sentinels.switched(sentinel, MASTER, old, fresh);
        assertThat(hasMaster()).isTrue();
        sentinels.apply(old);
        assertThat(hasMaster()).isTrue();
    }

    /** Sentinels may have several masters. */
    @Test
    void report_isOfAnotherMaster() {
        sentinels.apply(old);
        sentinels.switched(sentinel, "another-master", old, fresh);
        assertThat(hasMaster()).isTrue();
    }
}
