package dev.holdfast.examples.stale;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two real processes, one of which is stopped by SIGSTOP, with the lease of the demonstration. */
@Tag("slow")
class StaleHolderRunTest {
    private static final Duration LEASE = Duration.ofSeconds(3);

    /** The guard refuses the late write; without it, the write of the second holder is lost. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void run(boolean guarded) throws InterruptedException {
        List<String> output = new ArrayList<>();
        Outcome outcome = new StaleHolderRun(guarded, LEASE, output::add).run();

        assertThat(outcome.complaints()).as(String.join("\n", output)).isEmpty();
        assertThat(outcome.firstWrote()).isNotEqualTo(guarded);
        assertThat(outcome.balance()).isEqualTo(guarded ? 150 : 70);
    }
}
