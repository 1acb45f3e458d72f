package dev.holdfast.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The exit status of a campaign that does not begin. */
class CampaignTest {
    /** Options that cannot be satisfied are no violation, and the journals of the last run with the seed are kept. */
    @Test
    void status_noEarlierBuild(@TempDir Path repository) throws Exception {
        Path journals = Files.createDirectories(repository.resolve("verification/campaign/target/campaign/seed-7"));
        Path kept = Files.createFile(journals.resolve("workers.log"));
        Files.createFile(repository.resolve("file"));

        for (String before : List.of("missing", "file", ".")) {
            assertThat(Campaign.status(
                            List.of("--repository", repository.toString(), "--seed", "7", "--before", before)))
                    .as(before)
                    .isEqualTo(2);
        }

        assertThat(kept).exists();
    }
}
