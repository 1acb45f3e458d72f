package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

final class TokensTest {
    private final Story story = new Story();

    private Decision decision() {
        return story.judgedBy(new Tokens()).decision();
    }

    /** Growing tokens are correct, and each is judged. */
    @Test
    void grants_grow() {
        story.grant("a:1", 0, 1, 1, 1);
        story.grant("b:1", 2, 3, 2, 1);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        assertThat(story.judgedBy(new Tokens()).judged()).isEqualTo(2);
    }

    /** A smaller token after a larger one is reported, even if it is larger than the one right before it. */
    @Test
    void grants_fall() {
        story.grant("a:1", 0, 1, 9, 1);
        story.grant("b:1", 2, 3, 10, 1);
        story.grant("c:1", 4, 5, 3, 1);
        story.grant("d:1", 6, 7, 4, 1);
        assertThat(story.judgedBy(new Tokens()).violations()).hasSize(2);
    }

    /** Of two concurrent acquisitions, either can have been the first. */
    @Test
    void grants_atOnce() {
        story.grant("a:1", 0, 10, 2, 1);
        story.grant("b:1", 9, 11, 1, 1);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** But they must not have the same token. */
    @Test
    void grants_atOnceWithOneToken() {
        story.grant("a:1", 0, 10, 2, 1);
        story.grant("b:1", 9, 11, 2, 1);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** The next hold of an owner has a larger token. */
    @Test
    void grants_ofOneOwner() {
        story.grant("a:1", 0, 1, 2, 1);
        story.unlock("a:1", 2, 3);
        story.grant("a:1", 4, 5, 2, 1);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A re-entry keeps the token. */
    @Test
    void reentry_equal() {
        story.grant("a:1", 0, 1, 2, 1);
        story.grant("a:1", 2, 3, 2, 2);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Another token of a re-entry is reported. */
    @Test
    void reentry_larger() {
        story.grant("a:1", 0, 1, 2, 1);
        story.grant("a:1", 2, 3, 3, 2);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** A call that is not granted has no token to judge, and a lock without tokens is not judged. */
    @Test
    void noTokens() {
        story.lock("a:1", 0, 1);
        story.call("b:1", What.TRY, 2, 3, Outcome.REFUSED);
        assertThat(story.judgedBy(new Tokens()).judged()).isZero();
    }

    /** Tokens may begin anew once after the server has lost them. */
    @Test
    void tokensLost() {
        story.grant("a:1", 0, 1, 9, 1);
        story.tokensLost(2, 3);
        story.grant("b:1", 4, 5, 1, 1);
        assertThat(decision()).isEqualTo(Decision.KEPT);
        story.grant("c:1", 6, 7, 1, 1);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** They may not if it has lost only its locks. */
    @Test
    void dataLost() {
        story.grant("a:1", 0, 1, 9, 1);
        story.dataLost(2, 3);
        story.grant("b:1", 4, 5, 1, 1);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }
}
