package dev.holdfast.examples.service.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A run with its incidents. */
@Tag("slow")
@ExtendWith(TestSurroundings.class)
final class ServiceRunTest {
    /** So few pieces are sold before the killed instance has started again: the rest waits for it, as on a busy machine. */
    @Test
    void run_restartIsSlow() throws InterruptedException {
        List<String> printed = new ArrayList<>();
        Outcome outcome = new ServiceRun(new Plan(true, 100, 3, 12), printed::add).run(TestSurroundings.servers());
        assertThat(Verdict.on(outcome).complaints())
                .as("of %s, having printed %s", outcome, String.join("\n", printed))
                .isEmpty();
    }
}
