package dev.holdfast.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.internal.client.TwoNodes;
import dev.holdfast.internal.kind.FencedKind;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.Home;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The lock moves to another node while the former one has yet to reply, which proves nothing of the next one. */
@Tag("pure")
final class ReplyOfFormerHomeTest {
    @AutoClose
    private final TwoNodes nodes = new TwoNodes();

    /** The next node is asked about the hold, and denies it. */
    private void assertVerified(Hold hold) {
        assertThat(nodes.next.unanswered()).isEqualTo(1);
        assertThat(nodes.next.tenure()).isEqualTo(hold.tenure());
        nodes.next.replyEach(TwoNodes.NOT_HELD);
        assertThat(hold.lossOfOver().reason()).isEqualTo(LossReason.FAILOVER);
    }

    @Test
    void grant_isVerifiedAtTheNext() {
        CompletableFuture<Hold> acquired = nodes.parts.acquire(7);
        long tenure = nodes.former.tenure();
        nodes.turnTo(nodes.next);
        assertThat(nodes.next.unanswered()).isZero();

        nodes.former.reply(tenure);
        assertVerified(TwoNodes.get(acquired));
    }

    /** The next node keeps the hold for no longer than its owner has requested: what is left of that when it is asked. */
    @Test
    void lease_isNotLongerAtTheNext() {
        Duration lease = Duration.ofMinutes(10);
        CompletableFuture<Hold> acquired = nodes.parts.acquire(7, LeaseRequest.explicit(lease));
        nodes.former.reply(nodes.former.tenure());
        Hold hold = TwoNodes.get(acquired);
        Duration passed = Duration.ofMinutes(1);
        nodes.timer.advance(passed);
        nodes.turnTo(nodes.next);
        List<String> renewal = nodes.next.received();
        assertThat(renewal).contains(Long.toString(hold.tenure()));
        assertThat(renewal.get(renewal.size() - 1))
                .isEqualTo(Long.toString(lease.minus(passed).toMillis()));
    }

    /**
     * The same of a handoff. The next node may have the lock with its former owner, to whom it is not left: the present one
     * gets it, before the release is repeated there.
     */
    @Test
    void handoff_isSettledAtTheNext() {
        Hold from = nodes.acquired(7, nodes.former);
        CompletableFuture<Hold> waiting = nodes.parts.acquire(8);
        nodes.former.reply(-TwoNodes.LEASE.toMillis());
        CompletableFuture<?> released = Release.begin(from);
        long receiver = nodes.former.tenure();
        nodes.turnTo(nodes.next);

        nodes.former.reply(receiver);
        assertThat(released).isCompleted();
        Hold hold = TwoNodes.get(waiting);
        assertThat(nodes.next.received()).startsWith("EVAL").contains(Long.toString(hold.tenure()));
        nodes.next.reply(hold.tenure());
        assertThat(nodes.next.tenure()).isEqualTo(from.tenure());
        nodes.next.reply(TwoNodes.NOT_HELD);
        assertThat(nodes.next.received()).startsWith("EVAL");
        nodes.next.reply(hold.tenure());
        assertThat(nodes.next.tenure()).isEqualTo(hold.tenure());
        nodes.next.replyEach(hold.tenure());
        assertThat(hold.loss()).isNull();
    }

    /** A release that the former node acknowledges, when the next one has confirmed the hold, is repeated there. */
    @Test
    void release_isRepeatedAtTheNext() {
        Hold hold = nodes.acquired(7, nodes.former);
        CompletableFuture<?> released = Release.begin(hold);
        nodes.turnTo(nodes.next);
        hold.confirmedBy(nodes.parts.homes().of(hold.lock()));

        nodes.former.reply(hold.tenure());
        assertThat(released).isCompleted();
        TwoNodes.assertReleases(nodes.next, hold.tenure());
    }

    /** A lease that had run out before the next node was asked was not lost by the failover. */
    @Test
    void release_afterTheLease_isNoFailover() {
        Duration lease = Duration.ofSeconds(2);
        CompletableFuture<Hold> acquired = nodes.parts.acquire(7, LeaseRequest.explicit(lease));
        nodes.former.reply(nodes.former.tenure());
        Hold hold = TwoNodes.get(acquired);
        Home formerHome = nodes.parts.homes().of(hold.lock());
        nodes.former.disconnect();
        CompletableFuture<?> released = Release.begin(hold);
        nodes.moveTo(nodes.next);
        nodes.timer.advance(lease.plusSeconds(1));
        formerHome.connectionWait().over();

        assertThat(nodes.next.tenure()).isEqualTo(hold.tenure());
        nodes.next.reply(TwoNodes.NOT_HELD);
        assertThatThrownBy(released::join).cause().isInstanceOfSatisfying(LeaseLostException.class, lost -> assertThat(
                        lost.reason())
                .isEqualTo(LossReason.GONE));
    }

    /** {@return the waiting acquisition of this owner, whose first attempt the former node finds busy} */
    private CompletableFuture<Hold> waiting(long ownerId) {
        CompletableFuture<Hold> waiting = nodes.parts.acquire(ownerId);
        if (nodes.former.unanswered() > 0) {
            nodes.former.reply(-TwoNodes.LEASE.toMillis());
        }
        assertThat(waiting).isNotDone();
        return waiting;
    }

    /** The oldest command at the next node gives the lock to this hold, if that hold has it there. */
    private void assertSettles(Hold to, Hold from) {
        assertThat(nodes.next.received())
                .startsWith("EVAL")
                .contains(Long.toString(to.tenure()), Long.toString(from.tenure()));
        assertThat(nodes.next.tenure()).isEqualTo(to.tenure());
    }

    /** The receiver of a handoff re-enters at once: the next node has been told before that the former owner has released. */
    @Test
    void handoff_reentered_isSettledBefore() {
        Hold from = nodes.acquired(7, nodes.former);
        CompletableFuture<Hold> waiting = waiting(8);
        CompletableFuture<Hold> again = waiting(8);
        assertThat(Release.begin(from)).isNotDone();
        nodes.moveTo(nodes.next);
        nodes.former.reply(nodes.former.tenure());

        assertSettles(TwoNodes.get(waiting), from);
        assertThat(again).isNotDone();
    }

    /** Handoffs that follow are reported to the next node: it has been told before of those that the former one confirmed. */
    @Test
    void handoffs_reported_areSettledBefore() {
        Hold first = nodes.acquired(7, nodes.former);
        CompletableFuture<Hold> second = waiting(8);
        assertThat(Release.begin(first)).isNotDone();
        nodes.former.reply(nodes.former.tenure());
        Hold from = TwoNodes.get(second);
        CompletableFuture<Hold> third = waiting(9);
        CompletableFuture<Hold> fourth = waiting(10);
        assertThat(Release.begin(from)).isNotDone();
        assertThat(Release.begin(TwoNodes.get(third))).isNotDone();
        assertThat(TwoNodes.get(fourth).isSent()).isFalse();
        nodes.moveTo(nodes.next);

        nodes.former.reply(TwoNodes.get(third).tenure());
        assertSettles(TwoNodes.get(third), from);
    }

    /** A hold that began and ended between two reports was never at the former node: it is not named to the next one. */
    @Test
    void handoffs_inBetween_areNotNamed() {
        Hold first = nodes.acquired(7, nodes.former);
        CompletableFuture<Hold> second = waiting(8);
        assertThat(Release.begin(first)).isNotDone();
        nodes.former.reply(nodes.former.tenure());
        Hold reported = TwoNodes.get(second);
        CompletableFuture<Hold> third = waiting(9);
        CompletableFuture<Hold> fourth = waiting(10);
        CompletableFuture<Hold> fifth = waiting(11);
        assertThat(Release.begin(reported)).isNotDone();
        Hold from = TwoNodes.get(third);
        assertThat(Release.begin(from)).isNotDone();
        Hold between = TwoNodes.get(fourth);
        CompletableFuture<?> last = Release.begin(between);
        Hold hold = TwoNodes.get(fifth);
        nodes.former.reply(from.tenure());
        nodes.former.reply(hold.tenure());
        assertThat(last).isCompleted();

        nodes.turnTo(nodes.next);
        assertSettles(hold, from);
        assertThat(nodes.next.received()).doesNotContain(Long.toString(between.tenure()));
    }

    /** An extension of the present lease is requested of the next node with the renewal. */
    @Test
    void extension_isRequestedOfTheNext() {
        Hold hold = nodes.acquired(7, nodes.former);
        CompletableFuture<?> extended = Extension.begin(hold, LeaseRequest.explicit(Duration.ofMinutes(10)));
        nodes.former.replyEach(hold.tenure());
        assertThat(extended).isCompleted();

        nodes.turnTo(nodes.next);
        List<String> renewal = nodes.next.received();
        assertThat(renewal.get(renewal.size() - 1))
                .isEqualTo(Long.toString(Duration.ofMinutes(10).toMillis()));
    }

    /** An extension that is confirmed late does not replace the verification. */
    @Test
    void extension_confirmedLate_isVerifiedAtTheNext() {
        Hold hold = nodes.acquired(7, nodes.former);
        CompletableFuture<?> extended = Extension.begin(hold, LeaseRequest.explicit(Duration.ofMinutes(10)));
        nodes.turnTo(nodes.next);
        assertThat(nodes.next.unanswered()).isEqualTo(1);

        nodes.former.replyEach(hold.tenure());
        assertThat(extended).isCompleted();
        assertThat(nodes.next.unanswered()).isEqualTo(2);
    }

    /** A number that has come with the grant of a lock without tokens is none for the next node. */
    @Test
    void handoff_isSettledWithoutToken() {
        Hold from = nodes.acquired(7, nodes.former);
        CompletableFuture<Hold> waiting = waiting(8);
        assertThat(Release.begin(from)).isNotDone();
        nodes.former.reply(nodes.former.tenure());
        Hold hold = TwoNodes.get(waiting);
        hold.setDrawn(1_000, nodes.parts.homes().of(hold.lock()));

        nodes.turnTo(nodes.next);
        assertThat(nodes.next.received())
                .startsWith("EVAL")
                .contains(Long.toString(hold.tenure()), Long.toString(from.tenure()))
                .doesNotContain("1000");
    }

    /** The next node is told of a token that the former one has drawn, before it draws one. */
    @Test
    void token_isRaisedAtTheNext() {
        LockKey lock = new LockKey(new FencedKind(null), "orders:43", "");
        Hold hold = nodes.parts.hold(lock, 7);
        Home former = nodes.parts.homes().of(lock);
        nodes.turnTo(nodes.next);

        hold.setDrawn(1_000, former);
        nodes.parts.holds().settling().raiseToken(lock, nodes.parts.homes().of(lock));
        assertThat(nodes.next.received()).startsWith("EVAL").contains("1000");
    }
}
