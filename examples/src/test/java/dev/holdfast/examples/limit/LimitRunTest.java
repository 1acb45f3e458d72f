package dev.holdfast.examples.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Three processes and two permits, with the lease of the demonstration. */
@Tag("slow")
class LimitRunTest {
    /** Two calls at once and no more, one while the dead worker's lease runs out, and two again. */
    @Test
    void run() throws IOException, InterruptedException {
        List<String> output = new ArrayList<>();
        LimitOutcome outcome = new LimitRun(3, 2, Duration.ofSeconds(3), Duration.ofSeconds(1), output::add).run();
        assertThat(outcome.complaints()).as(String.join("\n", output)).isEmpty();
        assertThat(output).anyMatch(line -> line.contains("SIGKILL"));
    }
}
