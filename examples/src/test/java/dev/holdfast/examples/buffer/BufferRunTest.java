package dev.holdfast.examples.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A producer and two consumers, of which one is killed, with the lease of the demonstration. */
@Tag("slow")
class BufferRunTest {
    /** Each item is shipped once, also the one that the dead process had taken. */
    @Test
    void run() throws InterruptedException {
        List<String> output = new ArrayList<>();
        BufferOutcome outcome = new BufferRun(1, 2, Duration.ofSeconds(3), Duration.ofSeconds(1), output::add).run();
        assertThat(outcome.complaints()).as(String.join("\n", output)).isEmpty();
        assertThat(output).anyMatch(line -> line.contains("SIGKILL"));
    }
}
