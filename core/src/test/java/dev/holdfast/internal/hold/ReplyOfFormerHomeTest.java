package dev.holdfast.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LossReason;
import dev.holdfast.internal.client.TwoNodes;
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
}
