package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** 200 attempts in more than 160 ms must not all fail while others acquire the lock 200 times. */
final class PollersTest {
    private static final int TIMES = Pollers.TRIES + 2;

    private final Story story = new Story();

    private Decision decision() {
        return story.judgedBy(new Pollers(Story.TERMS)).decision();
    }

    private void polled(int times) {
        polled("b:1", times);
    }

    private void polled(String owner, int times) {
        for (long i = 0; i < times; i++) {
            story.refused(owner, 10 * i, 10 * i + 1);
        }
    }

    private void passedOn(int times) {
        for (long i = 0; i < times; i++) {
            story.lock("a:" + i % 4, 10 * i, 10 * i + 2);
            story.unlock("a:" + i % 4, 10 * i + 8, 10 * i + 9);
        }
    }

    /** This many failed attempts are a violation. */
    @Test
    void tries_inVain() {
        passedOn(TIMES);
        polled(TIMES);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** So are those of a caller in the same client as the holders. */
    @Test
    void tries_inTheSameClient() {
        passedOn(TIMES);
        polled("a:9", TIMES);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Nobody passes the line of a semaphore, however often. */
    @Test
    void tries_ofPermits() {
        story.by(By.PERMITS);
        passedOn(TIMES);
        polled(TIMES);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** So are those of another library, since it is this library that passes the lock on. */
    @Test
    void tries_ofAGuest() {
        passedOn(TIMES);
        story.by(By.REDISSON);
        polled(TIMES);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Attempts of several callers in one client are judged together. */
    @Test
    void tries_oneIsGranted() {
        passedOn(TIMES);
        polled(TIMES);
        story.call("b:2", What.TRY, 10 * TIMES / 2, 10 * TIMES / 2 + 1, Outcome.GRANTED);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Fewer attempts may all fail. */
    @Test
    void tries_few() {
        passedOn(TIMES);
        polled(Pollers.TRIES - 1);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** So may any number of attempts during one long hold. */
    @Test
    void tries_whileOneHasTheLock() {
        story.lock("a:1", 0, 1);
        polled(2 * TIMES);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** So may many attempts in a short time. */
    @Test
    void tries_forShort() {
        passedOn(16);
        for (int i = 0; i < TIMES; i++) {
            story.refused("b:" + i, i % 159, i % 159 + 1);
            story.lock("c:" + i, i % 159, i % 159 + 1);
        }
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A fault ends the sequence of attempts, which leaves too few before and after it. */
    @Test
    void tries_broken() {
        passedOn(TIMES);
        polled(TIMES);
        story.fault(Fault.SERVER_PAUSED, "server", 1_000, 1_005);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }
}
