package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A hold that a release has granted begins with a lease of 100 ms; other holds have 300 ms. */
final class LinearizabilityGrantTest {
    private static final Terms TERMS = new Terms(
            Story.TERMS.lease(),
            Duration.ofMillis(100),
            Story.TERMS.drift(),
            Story.TERMS.answer(),
            Story.TERMS.prompt(),
            Story.TERMS.turn(),
            Story.TERMS.outlasts(),
            true,
            false,
            Set.of());

    private final Story story = new Story();

    private Decision decision() {
        return story.judgedBy(new Linearizability(TERMS)).decision();
    }

    /** The hold of a waiter can be over after the lease of a grant, if its process was killed. */
    @Test
    void waiter_expires() {
        story.lock("a:1", 0, 1);
        story.fault(Fault.CLIENT_KILLED, "a", 2, 3);
        story.lock("b:1", 4, 98);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Before that, it cannot. */
    @Test
    void waiter_expiresTooEarly() {
        story.lock("a:1", 0, 1);
        story.fault(Fault.CLIENT_KILLED, "a", 2, 3);
        story.lock("b:1", 4, 96);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A renewal sets the whole lease. */
    @Test
    void waiter_isRenewed() {
        story.confirmed(story.lock("a:1", 0, 1), 40, 41);
        story.fault(Fault.CLIENT_KILLED, "a", 42, 43);
        story.lock("b:1", 44, 335);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** An explicit lease is set before its owner begins. */
    @Test
    void waiter_explicit() {
        story.lease(200).lock("a:1", 0, 1);
        story.fault(Fault.CLIENT_KILLED, "a", 2, 3);
        story.lock("b:1", 4, 190);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A call that does not wait is granted the lock by its own command, with the whole lease. */
    @Test
    void poller_expiresTooEarly() {
        story.call("a:1", What.TRY, 0, 1, Outcome.GRANTED);
        story.fault(Fault.CLIENT_KILLED, "a", 2, 3);
        story.lock("b:1", 4, 296);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** So is a client of another library. */
    @Test
    void guest_expiresTooEarly() {
        story.by(By.REDISSON).lock("a:1", 0, 1);
        story.fault(Fault.CLIENT_KILLED, "a", 2, 3);
        story.by(By.BLOCKING).lock("b:1", 4, 296);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }
}
