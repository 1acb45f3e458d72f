package dev.holdfast.internal.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.client.TwoNodes;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.kind.ReadKind;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.session.OwnerIds;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is sent to the next home of a lock, so that a present hold takes the place of a released one. */
@Tag("pure")
final class SettlingTest {
    private static final long LATEST = 1_790_000_000_000_000L;
    private static final int RELEASED = 600;

    @AutoClose
    private final TwoNodes nodes = new TwoNodes();

    /**
     * The client has read with many groups, one after the other. The command is in front of every other one about the lock until
     * it is answered: it stays small, and names the latest.
     */
    @Test
    void hold_afterManyGroups_namesTheLatest() {
        assertNamesTheLatest(new ReadKind(null), OwnerIds::newGroupId);
    }

    /** The same of many leases: each is an owner of its own. */
    @Test
    void hold_afterManyLeases_namesTheLatest() {
        assertNamesTheLatest(new PlainKind(), OwnerIds::newHandleId);
    }

    private void assertNamesTheLatest(Kind kind, ToLongFunction<OwnerIds> nextOwner) {
        OwnerIds owners = nodes.parts.holds().session().owners();
        LockKey lock = new LockKey(kind, "orders:42", "");
        Home home = nodes.parts.homes().of(lock);
        for (long tenure = LATEST - RELEASED + 1; tenure <= LATEST; tenure++) {
            nodes.parts
                    .holds()
                    .settling()
                    .released(lock, nextOwner.applyAsLong(owners), tenure, nodes.timer.nanoTime(), home);
        }
        Hold hold = nodes.parts.hold(lock, nextOwner.applyAsLong(owners));
        nodes.moveTo(nodes.next);
        Home next = nodes.parts.homes().of(lock);

        nodes.parts.holds().settle(hold, next, call -> next.send(lock, call));

        List<String> words = nodes.next.received();
        assertThat(words.get(0)).isEqualTo("EVAL");
        List<String> latest = LongStream.rangeClosed(LATEST - RELEASED + 1, LATEST)
                .skip(RELEASED - RecentReleases.MOST_NAMED)
                .mapToObj(String::valueOf)
                .toList();
        // Behind the script, the number of keys, the key, and what is said about the hold: each behind its owner.
        List<String> names = words.subList(words.size() - 2 * latest.size(), words.size());
        assertThat(names).containsSubsequence(latest);
        assertThat(words).doesNotContain(String.valueOf(LATEST - RecentReleases.MOST_NAMED));
        assertThat(String.join("\r\n$16\r\n", names)).hasSizeLessThan(4096);
    }
}
