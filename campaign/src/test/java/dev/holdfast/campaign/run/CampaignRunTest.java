package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** The campaign in small: real processes, real faults, every rule. */
class CampaignRunTest {
    /** Its three rounds have most kinds of faults among them, a Redisson client, and locks of both kinds. */
    private static final long SEED = 2321;

    private static final int ROUNDS = 3;

    /** A few rounds find nothing, and not because nothing was looked at. */
    @Test
    void run_fewRounds() throws InterruptedException {
        List<String> told = new ArrayList<>();
        Options options = new Options(
                SEED,
                OptionalLong.empty(),
                ROUNDS,
                Duration.ofMinutes(5),
                false,
                Path.of("target/campaign-test"),
                Optional.empty());
        CampaignRun campaign = new CampaignRun(options, told::add);

        boolean good = campaign.run();

        assertThat(campaign.tally().violations()).as(String.join("\n", told)).isEmpty();
        assertThat(good).isTrue();
        assertThat(campaign.tally().rounds()).isEqualTo(ROUNDS);
        assertThat(campaign.tally().rules()).hasSize(9).allSatisfy((rule, figures) -> assertThat(figures.judged())
                .as(rule)
                .isPositive());
        assertThat(told).first().asString().startsWith("seed " + SEED);
        assertThat(told).last().asString().startsWith("seed " + SEED);
    }
}
