package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

final class LinearizabilityTest {
    private final Story story = new Story();

    private Verdict verdict() {
        return story.judgedBy(new Linearizability(Story.TERMS));
    }

    private void isRight() {
        assertThat(verdict().violations()).isEmpty();
        assertThat(verdict().decision()).isEqualTo(Decision.KEPT);
    }

    private void isWrong() {
        assertThat(verdict().decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A lock that is released can be had by another. */
    @Test
    void grant_afterRelease() {
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 10, 12);
        story.lock("b:1", 5, 11);
        isRight();
    }

    /** But not before its release was called. */
    @Test
    void grant_beforeRelease() {
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 10, 12);
        story.lock("b:1", 5, 9);
        isWrong();
        assertThat(verdict().violations().get(0).toString())
                .contains("LOCK of b:1 (b#3), GRANTED", "held by a:1 (a#1)");
    }

    /** Of several who wait, each can be the next; who came last may return first. */
    @Test
    void grant_anyOrderOfWaiters() {
        story.lock("a:1", 0, 1);
        story.lock("b:1", 2, 42);
        story.lock("c:1", 3, 32);
        story.lock("d:1", 4, 22);
        story.unlock("a:1", 10, 12);
        story.unlock("d:1", 30, 31);
        story.unlock("c:1", 40, 41);
        story.unlock("b:1", 50, 51);
        isRight();
    }

    /** A lock without its own release goes to one of them only. */
    @Test
    void grant_twoForOneRelease() {
        story.lock("a:1", 0, 1);
        story.lock("b:1", 2, 22);
        story.lock("c:1", 3, 23);
        story.unlock("a:1", 10, 12);
        isWrong();
    }

    /** Levels are counted, and given back one by one. */
    @Test
    void reentry() {
        story.lock("a:1", 0, 1);
        story.grant("a:1", 2, 3, 0, 2);
        story.returns(story.calls("a:1", What.UNLOCK, 4, 0), 5, Outcome.RELEASED, 0, 1);
        story.refused("b:1", 6, 7);
        story.unlock("a:1", 8, 9);
        story.lock("b:1", 10, 11);
        isRight();
    }

    /** A level that is given back is not the lock. */
    @Test
    void reentry_releasedOnce() {
        story.lock("a:1", 0, 1);
        story.grant("a:1", 2, 3, 0, 2);
        story.returns(story.calls("a:1", What.UNLOCK, 4, 0), 5, Outcome.RELEASED, 0, 1);
        story.lock("b:1", 6, 7);
        isWrong();
    }

    /** A level that nobody asked for is a miscount. */
    @Test
    void reentry_miscounted() {
        story.lock("a:1", 0, 1);
        story.grant("a:1", 2, 3, 0, 3);
        isWrong();
    }

    /** What is left after a release is as it was told: two levels, one given back, none left? */
    @Test
    void release_miscounted() {
        story.lock("a:1", 0, 1);
        story.returns(story.calls("a:1", What.UNLOCK, 4, 0), 5, Outcome.RELEASED, 0, 1);
        isWrong();
    }

    /** Who has nothing gives nothing back. */
    @Test
    void release_byAnother() {
        story.lock("a:1", 0, 1);
        story.unlock("b:1", 2, 3);
        isWrong();
    }

    /** That it had never been held is a right answer to one who has nothing. */
    @Test
    void release_notHeld() {
        story.lock("a:1", 0, 1);
        story.call("b:1", What.UNLOCK, 2, 3, Outcome.NOT_HELD);
        isRight();
    }

    /** Busy is a lie about a free lock. */
    @Test
    void refusal_ofFreeLock() {
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 2, 3);
        story.refused("b:1", 4, 5);
        isWrong();
    }

    /** Busy is true if the lock was so at any moment of the call, however short. */
    @Test
    void refusal_ofBusyMoment() {
        story.refused("b:1", 0, 100);
        story.lock("a:1", 10, 11);
        story.unlock("a:1", 12, 13);
        isRight();
    }

    /** At the end of a wait, an answer may be as old as the command timeout, and no older. */
    @Test
    void refusal_onOldAnswer() {
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 2, 3);
        story.returns(story.calls("b:1", What.TRY_WAIT, 30, 23), 53, Outcome.REFUSED, 0, 0);
        isRight();
        story.returns(story.calls("b:1", What.TRY_WAIT, 54, 0), 54, Outcome.REFUSED, 0, 0);
        isWrong();
    }

    /** The owner itself is not refused what it has. */
    @Test
    void refusal_ofOwner() {
        story.lock("a:1", 0, 1);
        story.refused("a:1", 2, 3);
        isWrong();
    }

    /** What was interrupted may have the lock for nobody for a lease and a round trip; then "busy" is a lie again. */
    @Test
    void refusal_besideOrphan() {
        story.call("a:1", What.LOCK, 0, 10, Outcome.INTERRUPTED);
        story.refused("b:1", 359, 360);
        isRight();
        story.refused("b:1", 361, 362);
        isWrong();
    }

    /** A lease that was not renewed can be over when it is: after 297 ms, with the drift. */
    @Test
    void expiry() {
        story.lock("a:1", 0, 1);
        story.lock("b:1", 2, 297);
        isRight();
    }

    /** And not before. */
    @Test
    void expiry_tooEarly() {
        story.lock("a:1", 0, 1);
        story.lock("b:1", 2, 296);
        isWrong();
    }

    /** The lease of one who waited begins when it got the lock, not when it asked. */
    @Test
    void expiry_ofWaiter() {
        story.lock("a:1", 0, 1);
        story.lock("b:1", 2, 201);
        story.unlock("a:1", 200, 201);
        story.lock("c:1", 3, 496);
        isWrong();
    }

    /** Nor is it over before a lease has passed since a renewal was sent. */
    @Test
    void expiry_afterRenewal() {
        Op held = story.lock("a:1", 0, 1);
        story.confirmed(held, 100, 105);
        story.lock("b:1", 2, 397);
        isRight();
        story.confirmed(held, 101, 106);
        isWrong();
    }

    /** An explicit lease is its own. */
    @Test
    void expiry_explicit() {
        story.lease(1000).lock("a:1", 0, 1);
        story.lease(0).lock("b:1", 2, 990);
        isWrong();
    }

    /** An extension makes a lease longer. */
    @Test
    void extension() {
        story.lease(50).lock("a:1", 0, 1);
        story.lease(500).call("a:1", What.EXTEND, 40, 41, Outcome.EXTENDED);
        story.lock("b:1", 2, 537);
        isRight();
        story.refused("c:1", 42, 43);
        story.lock("d:1", 44, 100);
        isWrong();
    }

    /** A renewal shows that its owner had the lock. */
    @Test
    void renewal_afterRelease() {
        Op held = story.lock("a:1", 0, 1);
        story.unlock("a:1", 10, 11);
        story.confirmed(held, 11, 12);
        isRight();
        story.confirmed(held, 12, 13);
        isWrong();
    }

    /** A hold that was lost is over; a hold that was not lost is not. */
    @Test
    void loss() {
        story.lock("a:1", 0, 1);
        story.returnsLost(story.calls("a:1", What.UNLOCK, 290, 0), 297, Loss.EXPIRED);
        isRight();
        story.lock("b:1", 298, 299);
        story.returnsLost(story.calls("b:1", What.UNLOCK, 300, 0), 301, Loss.EXPIRED);
        isWrong();
    }

    /** A closed client leaves its hold to run out, and says so. */
    @Test
    void loss_closed() {
        story.lock("a:1", 0, 1);
        story.returnsLost(story.calls("a:1", What.UNLOCK, 2, 0), 3, Loss.CLOSED);
        story.refused("b:1", 4, 5);
        isRight();
        story.lock("b:1", 6, 7);
        isWrong();
    }

    /** A new hold on top of a lost one begins at one level, and what is given back afterwards belongs to it. */
    @Test
    void loss_holdOnTop() {
        story.lock("a:1", 0, 1);
        story.lock("a:1", 400, 401);
        story.unlock("a:1", 410, 411);
        story.returnsLost(story.calls("a:1", What.UNLOCK, 412, 0), 413, Loss.EXPIRED);
        story.lock("b:1", 414, 415);
        isRight();
    }

    /** Nobody begins anew on a hold that cannot have been lost. */
    @Test
    void loss_holdOnTopOfLiveOne() {
        story.lock("a:1", 0, 1);
        story.lock("a:1", 100, 101);
        isWrong();
    }

    /** A release without answer may happen at any later time, or never. */
    @Test
    void failedRelease() {
        story.lock("a:1", 0, 1);
        story.call("a:1", What.UNLOCK, 2, 3, Outcome.FAILED);
        story.refused("b:1", 100, 101);
        story.lock("b:1", 102, 103);
        isRight();
    }

    /** But not before it was called. */
    @Test
    void failedRelease_notBefore() {
        story.lock("a:1", 0, 1);
        story.lock("b:1", 2, 9);
        story.call("a:1", What.UNLOCK, 10, 11, Outcome.FAILED);
        isWrong();
    }

    /** And never on a later hold of its owner. */
    @Test
    void failedRelease_ofOlderHold() {
        story.lock("a:1", 0, 1);
        story.call("a:1", What.UNLOCK, 2, 3, Outcome.FAILED);
        story.lock("a:1", 10, 11);
        story.lock("b:1", 12, 13);
        isWrong();
    }

    /** A process that was killed while it gave the lock back may have done so. */
    @Test
    void failedRelease_killed() {
        story.lock("a:1", 0, 1);
        story.calls("a:1", What.UNLOCK, 2, 0);
        story.fault(Fault.CLIENT_KILLED, "a", 3, 4);
        story.lock("b:1", 5, 6);
        isRight();
    }

    /** What the server forgot is free, from when it can have forgotten it. */
    @Test
    void dataLost() {
        story.lock("a:1", 0, 1);
        story.dataLost(10, 20);
        story.lock("b:1", 2, 10);
        isRight();
    }

    /** And not before. */
    @Test
    void dataLost_later() {
        story.lock("a:1", 0, 1);
        story.dataLost(10, 20);
        story.lock("b:1", 2, 9);
        isWrong();
    }

    /** Nor does anybody have it afterwards who had it before. */
    @Test
    void dataLost_holdGoesOn() {
        story.lock("a:1", 0, 1);
        story.dataLost(10, 20);
        story.unlock("a:1", 21, 22);
        isWrong();
    }

    /** A lost lock that is handed on within a client need not be on the server, if the next owner is told. */
    @Test
    void handedOn_lost() {
        story.lock("a:1", 0, 1);
        story.dataLost(10, 11);
        story.lock("b:1", 12, 13);
        story.returnsLost(story.calls("a:1", What.UNLOCK, 20, 0), 30, Loss.TAKEN);
        Op next = story.lock("a:2", 15, 21);
        story.announced(next, 30, Loss.TAKEN);
        story.returnsLost(story.calls("a:2", What.UNLOCK, 40, 0), 41, Loss.TAKEN);
        story.unlock("b:1", 50, 51);
        isRight();
    }

    /** If the next owner is told nothing, two had the lock. */
    @Test
    void handedOn_notTold() {
        story.lock("a:1", 0, 1);
        story.dataLost(10, 11);
        story.lock("b:1", 12, 13);
        story.returnsLost(story.calls("a:1", What.UNLOCK, 20, 0), 30, Loss.TAKEN);
        story.lock("a:2", 15, 21);
        story.unlock("a:2", 40, 41);
        story.unlock("b:1", 50, 51);
        isWrong();
    }

    /** A lock that is handed on without an answer can be lost with the lease of the owner before. */
    @Test
    void handedOn_withoutAnswer() {
        story.lock("a:1", 0, 1);
        story.call("a:1", What.UNLOCK, 200, 290, Outcome.FAILED);
        story.lock("a:2", 190, 201);
        story.lock("b:1", 2, 297);
        isRight();
    }

    /** With an answer, it has a lease of its own. */
    @Test
    void handedOn_answered() {
        story.lock("a:1", 0, 1);
        story.unlock("a:1", 200, 290);
        story.lock("a:2", 190, 201);
        story.lock("b:1", 2, 297);
        isWrong();
    }

    /** Tokens grow in the order in which the lock was had, also where calls overlap. */
    @Test
    void tokens() {
        story.grant("a:1", 0, 10, 1, 1);
        story.grant("a:1", 11, 12, 1, 2);
        story.returns(story.calls("a:1", What.UNLOCK, 13, 0), 14, Outcome.RELEASED, 0, 1);
        story.unlock("a:1", 20, 21);
        story.grant("b:1", 5, 22, 2, 1);
        isRight();
        story.unlock("b:1", 30, 31);
        story.grant("c:1", 6, 32, 2, 1);
        isWrong();
    }

    /** A re-entry has the token of its hold. */
    @Test
    void tokens_reentry() {
        story.grant("a:1", 0, 10, 1, 1);
        story.grant("a:1", 11, 12, 2, 2);
        isWrong();
    }

    /** A server that lost its tokens begins anew. */
    @Test
    void tokens_lost() {
        story.grant("a:1", 0, 10, 7, 1);
        story.tokensLost(20, 21);
        story.grant("b:1", 22, 23, 1, 1);
        isRight();
    }

    /** One that lost its locks only does not. */
    @Test
    void tokens_kept() {
        story.grant("a:1", 0, 10, 7, 1);
        story.dataLost(20, 21);
        story.grant("b:1", 22, 23, 1, 1);
        isWrong();
    }

    /** What cannot be decided within the budget is not called fine. */
    @Test
    void budget_isOver() {
        for (int waiter = 0; waiter < 20; waiter++) {
            story.lock("w:" + waiter, 0, 1000);
        }
        Verdict verdict = story.judgedBy(new Linearizability(Story.TERMS, 100));
        assertThat(verdict.decision()).isEqualTo(Decision.UNDECIDED);
        assertThat(verdict.undecided().get(0)).contains("more than 100 cases");
    }
}
