package dev.holdfast.examples.prices;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A writer and two readers, of which one is killed, with the lease of the demonstration. */
@Tag("slow")
class PricesRunTest {
    /** No list is torn, and the others go on when the dead reader's lease has run out. */
    @Test
    void run() throws InterruptedException {
        List<String> output = new ArrayList<>();
        PricesOutcome outcome = new PricesRun(2, Duration.ofSeconds(3), Duration.ofSeconds(3), output::add).run();
        assertThat(outcome.complaints()).as(String.join("\n", output)).isEmpty();
        assertThat(outcome.rows()).hasSize(3);
        assertThat(outcome.rows().get(2).killed()).isTrue();
        assertThat(output).anyMatch(line -> line.contains("SIGKILL"));
    }
}
