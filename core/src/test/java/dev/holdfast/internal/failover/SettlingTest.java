package dev.holdfast.internal.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.client.TwoNodes;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.ReadKind;
import dev.holdfast.internal.node.Home;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is sent to the next home of a lock, so that a present hold takes the place of a released one. */
@Tag("pure")
final class SettlingTest {
    private static final long LATEST = 1_790_000_000_000_000L;
    private static final int GROUPS = 600;

    @AutoClose
    private final TwoNodes nodes = new TwoNodes();

    private final LockKey lock = new LockKey(new ReadKind(null), "orders:42", "");

    private Home home() {
        return nodes.parts.homes().of(lock);
    }

    /**
     * The client has read with many groups, one after the other. The command is in front of every other one about the lock until
     * it is answered: it stays small, and names the latest.
     */
    @Test
    void hold_afterManyGroups_namesTheLatest() {
        Hold hold = nodes.parts.hold(lock, -4);
        for (int i = 0; i < GROUPS; i++) {
            nodes.parts
                    .holds()
                    .settling()
                    .released(lock, -1_000_000 + i, LATEST - GROUPS + 1 + i, nodes.timer.nanoTime(), home());
        }
        nodes.moveTo(nodes.next);

        nodes.parts.holds().settle(hold, home(), call -> home().send(lock, call));

        List<String> words = nodes.next.received();
        assertThat(words.get(0)).isEqualTo("EVAL");
        // Behind the script, the number of keys, the key, and what is said about the hold, which has no label.
        List<String> names = words.subList(words.indexOf("orders:42") + 4, words.size());
        assertThat(names).hasSize(2 * RecentReleases.MOST_GROUPS).contains(String.valueOf(LATEST));
        assertThat(String.join("\r\n$16\r\n", names)).hasSizeLessThan(4096);
    }
}
