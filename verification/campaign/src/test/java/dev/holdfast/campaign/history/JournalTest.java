package dev.holdfast.campaign.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.campaign.history.Event.Announced;
import dev.holdfast.campaign.history.Event.AtRisk;
import dev.holdfast.campaign.history.Event.Believed;
import dev.holdfast.campaign.history.Event.Called;
import dev.holdfast.campaign.history.Event.Closing;
import dev.holdfast.campaign.history.Event.Confirmed;
import dev.holdfast.campaign.history.Event.DataLost;
import dev.holdfast.campaign.history.Event.FaultBegan;
import dev.holdfast.campaign.history.Event.FaultEnded;
import dev.holdfast.campaign.history.Event.Inspected;
import dev.holdfast.campaign.history.Event.Returned;
import dev.holdfast.campaign.history.Event.SeenLost;
import dev.holdfast.campaign.history.Event.Started;
import dev.holdfast.campaign.history.Event.Wrote;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JournalTest {
    private static final Op OP = new Op("p#1", 7);

    private static final List<Event> ONE_OF_EACH = List.of(
            new Started(-5, "p#1"),
            new Called(1, OP, What.TRY_WAIT, By.ASYNC, "a lock", true, "client:3", 250, 0),
            new Event.Requested(1, OP, 2, 4),
            new Event.LeaseShown(1, OP, 250),
            new Event.Numbered(2, OP, 3),
            new Returned(2, OP, Outcome.GRANTED, 17, 1, Loss.NONE),
            new Believed(3, 4, OP),
            new Confirmed(3, 5, OP, 1500),
            new AtRisk(6, OP),
            new Announced(7, OP, ReportChannel.LISTENER, Loss.UNREACHABLE),
            new SeenLost(8, OP),
            new Wrote(8, 9, OP, "a lock", 17, true, 4),
            new Event.WaitsFor(9, OP, true),
            new Event.Exchanged(8, 9, OP, "a lock", 8, 7, 2),
            new FaultBegan(10, 1, Fault.CLIENT_PAUSED, "p#1"),
            new FaultEnded(11, 1),
            new DataLost(12, 13, DataLost.ALL, true, false),
            new Event.StoodStill(13, 14, "p#1"),
            new Closing(14, "p#1"),
            new Inspected(15, "p#1", List.of("a thread", "tab\tand\nline\\end")),
            new Inspected(16, Inspected.SERVER, List.of()));

    private final Path directory;

    JournalTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** Every type of event is read as it was written. */
    @Test
    void write_everyKind() {
        assertThat(ONE_OF_EACH).extracting(Object::getClass).contains(Event.class.getPermittedSubclasses());
        assertThat(written("a", ONE_OF_EACH)).isEqualTo(ONE_OF_EACH);
    }

    /** No written event is lost if the process ends without closing the journal; an incomplete line is no event. */
    @Test
    void write_neverClosed() throws Exception {
        Path file = directory.resolve("dead");
        Journal neverClosed = Journal.open(file);
        neverClosed.write(new Started(1, "p"));
        Files.writeString(file, "Returned\t12", StandardOpenOption.APPEND);
        assertThat(Journal.read(file)).containsExactly(new Started(1, "p"));
        neverClosed.close();
    }

    /** An interrupted thread can write, and the journal stays open for all threads. */
    @Test
    void write_interrupted() {
        Path file = directory.resolve("interrupted");
        try (Journal journal = Journal.open(file)) {
            Thread.currentThread().interrupt();
            journal.write(new Started(1, "p"));
            assertThat(Thread.interrupted()).isTrue();
            journal.write(new Closing(2, "p"));
        }
        assertThat(Journal.read(file)).hasSize(2);
    }

    /** Lines of several threads do not mix. */
    @Test
    void write_manyThreads() {
        Path file = directory.resolve("many");
        try (Journal journal = Journal.open(file)) {
            IntStream.range(0, 2000).parallel().forEach(i -> journal.write(new AtRisk(i, new Op("p", i))));
        }
        assertThat(Journal.read(file))
                .extracting(Event::at)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 2000).mapToObj(i -> (long) i).toList());
    }

    /** A line that is not an event is rejected, not skipped. */
    @Test
    void read_noEvent() throws Exception {
        Path file = directory.resolve("strange");
        Files.writeString(file, "Began\t1\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Journal.read(file))
                .withMessageContaining("Began");
        Files.writeString(file, "AtRisk\t1\n");
        assertThatIllegalArgumentException().isThrownBy(() -> Journal.read(file));
        Files.writeString(file, "AtRisk\t1\tnothing\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Journal.read(file))
                .withMessage("nothing is no Op");
    }

    /** Several journals form one history, ordered by time. */
    @Test
    void history_ofManyJournals() {
        written("a", List.of(new Started(1, "a"), new Closing(3, "a")));
        written("b", List.of(new Closing(4, "b"), new Started(2, "b")));
        History history = History.read(List.of(directory.resolve("a"), directory.resolve("b")));
        assertThat(history.events()).extracting(Event::at).containsExactly(1L, 2L, 3L, 4L);
        assertThat(history.end()).isEqualTo(4);
    }

    /** A call and its return are one operation; so is a call without a return. */
    @Test
    void history_operations() {
        Called first = new Called(1, OP, What.LOCK, By.BLOCKING, "a", false, "c:1", -1, 0);
        Called second = new Called(2, new Op("q", 7), What.TRY, By.BLOCKING, "a", false, "d:1", 0, 0);
        Returned returned = new Returned(3, OP, Outcome.GRANTED, 0, 1, Loss.NONE);
        assertThat(History.of(returned, second, first).operations())
                .containsExactly(new Operation(first, returned), new Operation(second, null));
        assertThat(new Operation(second, null).end()).isEqualTo(Operation.NEVER);
        assertThat(new Operation(second, null).client()).isEqualTo("d");
    }

    /** Inconsistent events are rejected. */
    @Test
    void history_contradiction() {
        Called called = new Called(1, OP, What.LOCK, By.BLOCKING, "a", false, "c:1", -1, 0);
        Returned returned = new Returned(3, OP, Outcome.GRANTED, 0, 1, Loss.NONE);
        assertThatIllegalArgumentException().isThrownBy(() -> History.of(called, called));
        assertThatIllegalArgumentException().isThrownBy(() -> History.of(called, returned, returned));
        assertThatIllegalArgumentException().isThrownBy(() -> History.of(returned));
    }

    private List<Event> written(String name, List<Event> events) {
        Path file = directory.resolve(name);
        try (Journal journal = Journal.open(file)) {
            events.forEach(journal::write);
        }
        return Journal.read(file);
    }
}
