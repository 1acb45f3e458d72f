package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** A multi-lock of the locks {@code x} and {@code y}; a renewed lease is 300 ms. */
final class MembersTest {
    private final Story story = new Story();

    private Decision decision() {
        return story.judgedBy(new Members(Story.TERMS)).decision();
    }

    private Op[] held() {
        story.by(By.MULTI);
        Op x = story.at("x").lock("a:multi-1", 0, 1);
        Op y = story.at("y").lock("a:multi-1", 0, 1);
        return new Op[] {x, y};
    }

    private void released(long at) {
        story.by(By.MULTI);
        story.at("x").unlock("a:multi-1", at, at + 1);
        story.at("y").unlock("a:multi-1", at, at + 1);
    }

    private void grantedToAnother(String lock, long from, long to) {
        story.by(By.BLOCKING).at(lock).lock("b:1", from, to);
    }

    /** Others get the locks when they were released. */
    @Test
    void granted_afterTheRelease() {
        held();
        released(20);
        grantedToAnother("x", 21, 22);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** One of the locks is free although the whole was not released. */
    @Test
    void granted_before() {
        held();
        grantedToAnother("y", 10, 11);
        released(20);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Its client is closed: its holder may still be working. */
    @Test
    void granted_afterTheClose() {
        Op[] ops = held();
        story.fault(Fault.CLIENT_CLOSED, "a", 5, 9);
        story.closing("a", 5);
        story.announced(ops[0], 6, Loss.CLOSED);
        story.announced(ops[1], 6, Loss.CLOSED);
        grantedToAnother("y", 10, 11);
        story.by(By.MULTI);
        story.returnsLost(story.at("x").calls("a:multi-1", What.UNLOCK, 40, 0), 41, Loss.CLOSED);
        story.returnsLost(story.at("y").calls("a:multi-1", What.UNLOCK, 40, 0), 41, Loss.CLOSED);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** One of them was lost with its key: that one may be free, and the other not. */
    @Test
    void granted_lost() {
        held();
        story.keyLost("x", 5, 6);
        grantedToAnother("x", 10, 11);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        grantedToAnother("y", 12, 13);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Its lease may have ended. */
    @Test
    void granted_expired() {
        held();
        grantedToAnother("y", 299, 305);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** An explicit lease counts from the grant of the last lock, not from the call. */
    @Test
    void granted_explicitLease() {
        story.by(By.MULTI).lease(100);
        story.at("x").lock("a:multi-1", 0, 200);
        story.at("y").lock("a:multi-1", 0, 200);
        story.lease(0);
        grantedToAnother("y", 250, 260);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** The whole is not valid when one of its locks is known to be lost. */
    @Test
    void believed_oneIsLost() {
        Op[] ops = held();
        story.announced(ops[0], 10, Loss.GONE);
        story.believed(ops[1], 5, 29);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        story.believed(ops[1], 29, 40);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }
}
