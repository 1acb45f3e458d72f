package dev.holdfast.internal.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.client.TwoNodes;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.kind.LockKey;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A hold that one node denies and another one has, while the client turns from one to the other and back. */
@Tag("pure")
final class DeniedTenureTest {
    @AutoClose
    private final TwoNodes nodes = new TwoNodes();

    /**
     * The client turns to the next node and back at once. The former node confirms the hold, and then the next one denies it:
     * it is lost, and so is released where it is, although no node but that was the last to confirm it.
     */
    @Test
    void deniedByTheNext_afterTheFormerHasConfirmed_isReleasedThere() {
        Hold hold = nodes.acquired(7, nodes.former);
        nodes.turnTo(nodes.next);
        nodes.turnTo(nodes.former);
        nodes.former.replyEach(hold.tenure());
        assertThat(hold.loss()).isNull();

        nodes.next.replyEach(TwoNodes.NOT_HELD);
        assertThat(hold.loss()).isNotNull();
        TwoNodes.assertReleases(nodes.former, hold.tenure());
    }

    /**
     * The owner acquires the lock at the node that has denied its hold, and then the former node is the home again, which has
     * the denied one. That is released, and the present hold does not take its place: another client may have had the lock
     * since, at the node that denied it.
     */
    @Test
    void denied_thenAcquiredAgain_isNotReplaced() {
        Hold denied = nodes.acquired(7, nodes.former);
        nodes.turnTo(nodes.next);
        nodes.next.replyEach(TwoNodes.NOT_HELD);
        TwoNodes.assertReleases(nodes.next, denied.tenure());
        nodes.next.reply(TwoNodes.NOT_HELD);
        denied.lane().takeBack(denied);
        Hold present = nodes.acquired(8, nodes.next);

        nodes.turnTo(nodes.former);
        assertThat(nodes.former.unanswered()).isEqualTo(2);
        assertThat(nodes.former.received()).doesNotContain("EVAL");
        assertThat(nodes.former.tenure()).isEqualTo(present.tenure());
        nodes.former.replyEach(present.tenure());
        TwoNodes.assertReleases(nodes.former, denied.tenure());
    }

    /** However many tenures were denied, none of the releases is forgotten for them. */
    @Test
    void denied_many_displaceNoRelease() {
        Settling settling = nodes.parts.holds().settling();
        LockKey lock = nodes.parts.hold(7).lock();
        long leaseEnd = nodes.timer.nanoTime() + TwoNodes.LEASE.toNanos();
        settling.released(lock, 7, 1, leaseEnd, nodes.parts.homes().of(lock));
        for (int owner = 8; owner < 8 + 2 * RecentReleases.MOST_KEPT; owner++) {
            settling.denied(lock, owner, owner, leaseEnd);
        }
        assertThat(settling.released(lock))
                .singleElement()
                .extracting(RecentReleases.Released::ownerId)
                .isEqualTo(7L);
        assertThat(settling.givenUp(lock::equals)).hasSize(1 + RecentReleases.MOST_KEPT);
    }
}
