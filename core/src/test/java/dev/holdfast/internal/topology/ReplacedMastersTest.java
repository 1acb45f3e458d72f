package dev.holdfast.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.redis.NodeAddress;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** For how long an address that was reported as replaced is not believed. */
@Tag("pure")
final class ReplacedMastersTest {
    private final NodeAddress old = new NodeAddress("old", 6379);
    private final NodeAddress fresh = new NodeAddress("new", 6379);
    private final NodeAddress third = new NodeAddress("third", 6379);
    private final ReplacedMasters replaced = new ReplacedMasters();

    private void reportedBy(String sentinel) {
        replaced.reported(sentinel, old, fresh);
    }

    /** Most sentinels still name it: that is no news. */
    @Test
    void replaced_isNotElected() {
        reportedBy("first");
        assertThat(replaced.elects(old)).isFalse();
        assertThat(replaced.elects(old)).isFalse();
        assertThat(replaced.elects(fresh)).isTrue();
    }

    /** It may come back later: all that was reported before another one was elected is history. */
    @Test
    void another_wasElected() {
        reportedBy("first");
        assertThat(replaced.elects(fresh)).isTrue();
        assertThat(replaced.elects(old)).isTrue();
    }

    /** A failover back is reported, before the first one was over. */
    @Test
    void reported_asTheNewOne() {
        reportedBy("first");
        replaced.reported("second", fresh, old);
        assertThat(replaced.elects(fresh)).isFalse();
        assertThat(replaced.elects(old)).isTrue();
    }

    /** A second failover does not make the first one undone. */
    @Test
    void twice_neitherIsElected() {
        reportedBy("first");
        replaced.reported("first", fresh, third);
        assertThat(replaced.elects(old)).isFalse();
        assertThat(replaced.elects(fresh)).isFalse();
        assertThat(replaced.elects(third)).isTrue();
    }

    /** The report of a failover back was missed, but the sentinel that had reported the first one knows of it. */
    @Test
    void reporter_namesItAgain() {
        reportedBy("first");
        int reports = replaced.reports();
        replaced.named("second", old, reports);
        assertThat(replaced.elects(old)).isFalse();
        replaced.named("first", old, reports);
        assertThat(replaced.elects(old)).isTrue();
    }

    /** What that sentinel was asked before its report, or another address that it names, is no news. */
    @Test
    void reporter_namedItBefore() {
        int reports = replaced.reports();
        reportedBy("first");
        replaced.named("first", old, reports);
        replaced.named("first", null, replaced.reports());
        replaced.named("first", third, replaced.reports());
        assertThat(replaced.elects(old)).isFalse();
    }
}
