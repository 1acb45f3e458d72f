package dev.holdfast.internal.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.failover.RecentReleases.Released;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.session.OwnerIds;
import dev.holdfast.internal.view.Unconnected;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which releases are remembered, to be repeated at a home that has missed them. */
@Tag("pure")
final class RecentReleasesTest {
    /** That of a thread. */
    private static final long OWNER = 7;

    private static final OwnerIds OWNERS = new OwnerIds(null);

    @AutoClose
    private final Unconnected parts = new Unconnected();

    @AutoClose
    private final Unconnected others = new Unconnected();

    private final Home home = parts.hold(OWNER).lane().home();
    private final Home other = others.hold(OWNER).lane().home();
    private final LockKey lock = new LockKey(new PlainKind(), "orders:42", "");
    private final LockKey otherLock = new LockKey(new PlainKind(), "orders:43", "");
    private final RecentReleases releases = new RecentReleases();

    private static Released released(LockKey lock, long owner, long tenure, long sinceNanos) {
        return new Released(lock, owner, tenure, 0, sinceNanos);
    }

    /** Of one owner of a lock the newest tenure counts, in whichever order the replies came. */
    @Test
    void add_newestOfAnOwner() {
        releases.add(home, released(lock, OWNER, 3, 0));
        releases.add(home, released(lock, OWNER, 5, 0));
        releases.add(home, released(lock, OWNER, 4, 0));
        releases.add(home, released(lock, OWNER + 1, 1, 0));
        assertThat(releases.of(lock::equals, 0)).extracting(Released::tenure).containsExactly(5L, 1L);
    }

    /** Only the releases of the locks that were asked for are returned, whichever home has acknowledged them. */
    @Test
    void of_theseLocks() {
        releases.add(home, released(lock, OWNER, 3, 0));
        releases.add(other, released(lock, OWNER, 5, 0));
        releases.add(home, released(otherLock, OWNER, 4, 0));
        assertThat(releases.of(lock::equals, 0)).extracting(Released::tenure).containsExactlyInAnyOrder(3L, 5L);
    }

    /** A release is forgotten when it is older than any replica lags behind. */
    @Test
    void of_forgetsOldOnes() {
        long kept = RecentReleases.KEPT.toNanos();
        releases.add(home, released(lock, OWNER, 3, 0));
        releases.add(home, released(lock, OWNER + 1, 4, 1));
        assertThat(releases.of(lock::equals, kept)).hasSize(2);
        assertThat(releases.of(lock::equals, kept + 1))
                .extracting(Released::tenure)
                .containsExactly(4L);
        assertThat(releases.of(lock::equals, kept + 2)).isEmpty();
    }

    /** The oldest release of a home makes room; those at a home that has failed stay, however many follow elsewhere. */
    @Test
    void add_mostKeptOfEachHome() {
        releases.add(home, released(lock, OWNER, 1, 0));
        for (int i = 0; i <= RecentReleases.MOST_KEPT; i++) {
            releases.add(other, released(otherLock, OWNER + i, 2 + i, 0));
        }
        assertThat(releases.of(lock::equals, 0)).hasSize(1);
        assertThat(releases.of(otherLock::equals, 0))
                .hasSize(RecentReleases.MOST_KEPT)
                .extracting(Released::tenure)
                .doesNotContain(2L);
    }

    /** Handles, and groups of readers, are a new owner each: they make room for each other, and not for the owners that recur. */
    @Test
    void add_handles_displaceNoOtherOwner() {
        releases.add(home, released(otherLock, OWNER, 1, 0));
        releases.add(home, released(otherLock, OWNERS.newOwnerId(), 2, 0));
        for (int i = 0; i <= RecentReleases.MOST_KEPT; i++) {
            releases.add(home, released(lock, i % 2 == 0 ? OWNERS.newHandleId() : OWNERS.newGroupId(), 3 + i, 0));
        }
        assertThat(releases.of(otherLock::equals, 0))
                .extracting(Released::tenure)
                .containsExactly(1L, 2L);
        assertThat(releases.of(lock::equals, 0))
                .hasSize(RecentReleases.MOST_KEPT)
                .extracting(Released::tenure)
                .doesNotContain(3L);
    }

    /** Of the handles and groups of a lock, the newest are named, whichever home has released them; of the other owners all. */
    @Test
    void named_newestHandles() {
        int all = RecentReleases.MOST_NAMED + 4;
        for (int i = 0; i < all; i++) {
            Home by = i % 2 == 0 ? home : other;
            releases.add(by, released(lock, OWNERS.newHandleId(), i, i / 2));
            releases.add(by, released(lock, OWNER + i, 1_000 + i, i / 2));
            releases.add(by, released(otherLock, OWNERS.newGroupId(), 2_000 + i, i));
        }
        assertThat(releases.named(lock, all))
                .extracting(Released::tenure)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.concat(LongStream.range(4, all), LongStream.range(1_000, 1_000 + all))
                                .boxed()
                                .toList());
    }
}
