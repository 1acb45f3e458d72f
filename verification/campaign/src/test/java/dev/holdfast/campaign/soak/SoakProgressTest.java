package dev.holdfast.campaign.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.soak.SoakAnswer.Worked;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The recovery of all clients and kinds from a fault. */
class SoakProgressTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static Worked worked(int client, Kind kind, long from) {
        return new Worked(client, kind, "a", from, from + 1, 1, 1, 0);
    }

    /** What counts is the first work of each part that began after the end of the fault, and the last of these. */
    @Test
    void recovery_lastOfTheFirst() {
        List<Worked> done = List.of(
                worked(0, Kind.PLAIN, 90),
                worked(0, Kind.PLAIN, 110),
                worked(1, Kind.PLAIN, 130),
                worked(0, Kind.FAIR, 125),
                worked(0, Kind.PLAIN, 900));

        assertThat(Progress.recovery(done, 100)).isEqualTo(Duration.ofNanos(30));
        assertThat(Progress.recovery(done, 901)).isZero();
    }

    /** All have worked since the end of a fault: before the wait, which then takes no time. */
    @Test
    void awaitAllSince_before() throws InterruptedException {
        long ended = System.nanoTime() - MINUTE.toNanos();
        Progress progress = new Progress(2);
        Stream.of(Kind.values())
                .forEach(kind -> List.of(0, 1).forEach(client -> progress.add(worked(client, kind, ended + client))));

        assertThat(progress.awaitAllSince(ended, MINUTE)).isEmpty();
        assertThat(progress.awaitAllSince(ended + 1, Duration.ZERO))
                .hasSize(Kind.values().length)
                .contains("PLAIN of client 0");
    }

    /** The time of the wait begins at the end of the fault, so that it is over if the repair has taken it. */
    @Test
    void awaitAllSince_over() throws InterruptedException {
        long ended = System.nanoTime() - MINUTE.toNanos();

        assertThat(new Progress(1).awaitAllSince(ended, MINUTE)).hasSize(Kind.values().length);
        assertThat(System.nanoTime() - ended).isLessThan(MINUTE.multipliedBy(2).toNanos());
    }
}
