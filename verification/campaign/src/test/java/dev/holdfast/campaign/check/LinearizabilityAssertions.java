package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;

/** Asserts whether there is an order of a story's calls in which a correct lock would have given these results. */
final class LinearizabilityAssertions {
    private LinearizabilityAssertions() {}

    static void assertLinearizable(Story story) {
        Verdict verdict = verdict(story);
        assertThat(verdict.violations()).isEmpty();
        assertThat(verdict.decision()).isEqualTo(Decision.KEPT);
    }

    static void assertNotLinearizable(Story story) {
        assertThat(verdict(story).decision()).isEqualTo(Decision.VIOLATED);
    }

    private static Verdict verdict(Story story) {
        return story.judgedBy(new Linearizability(Story.TERMS));
    }
}
