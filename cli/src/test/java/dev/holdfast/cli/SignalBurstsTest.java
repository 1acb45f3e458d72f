package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A signal that is sent twice at once counts as one. */
final class SignalBurstsTest {
    private final List<SignalName> passedOn = new ArrayList<>();
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final SignalBursts bursts = new SignalBursts(passedOn::add, now::get);

    private void pass(int millis) {
        now.addAndGet(Duration.ofMillis(millis).toNanos());
    }

    @Test
    void sameAtOnce_isOne() {
        bursts.accept(SignalName.TERM);
        bursts.accept(SignalName.TERM);
        pass(199);
        bursts.accept(SignalName.TERM);
        assertThat(passedOn).containsExactly(SignalName.TERM);
    }

    @Test
    void sameLater_isAnother() {
        bursts.accept(SignalName.TERM);
        pass(200);
        bursts.accept(SignalName.TERM);
        assertThat(passedOn).containsExactly(SignalName.TERM, SignalName.TERM);
    }

    @Test
    void otherAtOnce_isAnother() {
        bursts.accept(SignalName.INT);
        bursts.accept(SignalName.TERM);
        assertThat(passedOn).containsExactly(SignalName.INT, SignalName.TERM);
    }
}
