package dev.holdfast.campaign.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.check.Verdict.Decision;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import org.junit.jupiter.api.Test;

/** Readers that do not share, readers that wait for many writers, and a writer that waits for later readers. */
final class PhasesTest {
    private static final String READER = "r:1" + Operation.READS;

    private final Story story = new Story();

    private Decision decision() {
        return story.judgedBy(new Phases(Story.TERMS)).decision();
    }

    private void reads(String client, long from, long to) {
        String owner = client + ":1" + Operation.READS;
        story.lock(owner, from, from + 1);
        story.unlock(owner, to, to + 1);
    }

    private void writes(String client, long from, long to) {
        story.lock(client + ":1", from, from + 1);
        story.unlock(client + ":1", to, to + 1);
    }

    /** While others read, and no writer is there, a reader waits for no more than 20 ms. */
    @Test
    void reader_besideReaders() {
        reads("a", 10, 100);
        story.lock(READER, 20, 45);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void reader_besideReaders_soon() {
        reads("a", 10, 100);
        story.lock(READER, 20, 35);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** It waits behind a writer that waits for those who read. */
    @Test
    void reader_behindAWriter() {
        reads("a", 10, 90);
        story.lock("w:1", 15, 95);
        story.unlock("w:1", 97, 98);
        story.lock(READER, 20, 99);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Once the last writer has left the line, it does not. */
    @Test
    void reader_behindAWriterThatHasLeft() {
        reads("a", 10, 90);
        story.waited("w:1", 15, 40, 40);
        story.lock(READER, 20, 95);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Redisson's readers do not share the lock with others. */
    @Test
    void reader_besideReadersOfRedisson() {
        story.by(By.REDISSON);
        reads("a", 10, 100);
        story.by(By.BLOCKING);
        story.lock(READER, 20, 102);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    private void turnsOfWriters(int count) {
        for (int i = 0; i < count; i++) {
            writes(i % 2 == 0 ? "v" : "w", 40 + 30 * i, 65 + 30 * i);
        }
    }

    /** Six turns of writers are too many for one reader. */
    @Test
    void reader_behindManyWriters() {
        story.lock(READER, 10, 300);
        turnsOfWriters(6);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    @Test
    void reader_behindSomeWriters() {
        story.lock(READER, 10, 300);
        story.lock("u:1", 12, 310);
        turnsOfWriters(5);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** What is handed off within a client is one turn. */
    @Test
    void reader_behindOneTurn() {
        story.lock(READER, 10, 60);
        for (int i = 0; i < 9; i++) {
            story.lock("w:" + i, 40 + 2 * i, 41 + 2 * i);
            story.unlock("w:" + i, 41 + 2 * i, 42 + 2 * i);
        }
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Where clients form no lines, they compete. */
    @Test
    void reader_behindManyWriters_withoutLines() {
        story.lock(READER, 10, 300);
        story.lock("u:1", 12, 310);
        turnsOfWriters(6);
        assertThat(story.judgedBy(new Phases(Story.UNLINED)).decision()).isEqualTo(Decision.KEPT);
    }

    /** During a fault, and until the line is formed again. */
    @Test
    void reader_behindManyWriters_inAFault() {
        story.lock(READER, 10, 300);
        story.lock("u:1", 12, 310);
        turnsOfWriters(6);
        story.fault(Fault.CUT_RST, "v", 100, 200);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Readers that come later are granted the lock, again and again. */
    @Test
    void writer_behindReaders() {
        reads("a", 1, 100);
        story.lock("w:1", 10, 200);
        reads("b", 60, 110);
        reads("a", 103, 190);
        assertThat(decision()).isEqualTo(Decision.VIOLATED);
    }

    /** Readers that were granted the lock once, together, are one phase. */
    @Test
    void writer_behindOnePhase() {
        reads("a", 1, 100);
        story.lock("w:1", 10, 200);
        reads("b", 101, 110);
        reads("c", 102, 190);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Those that had come before are granted the lock first, however late they begin. */
    @Test
    void writer_behindReadersBefore() {
        reads("a", 1, 100);
        story.lock("w:1", 10, 200);
        story.lock("b:1" + Operation.READS, 5, 60);
        story.lock("c:1" + Operation.READS, 5, 120);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** Each turn of a writer is followed by readers. */
    @Test
    void writer_behindWritersAndReaders() {
        story.lock("w:1", 10, 400);
        for (int i = 0; i < 5; i++) {
            writes("v", 40 + 70 * i, 50 + 70 * i);
            reads("a", 52 + 70 * i, 60 + 70 * i);
            reads("b", 76 + 70 * i, 80 + 70 * i);
        }
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** A call that does not wait has no place in line. */
    @Test
    void writer_thatOnlyTries() {
        reads("a", 1, 100);
        story.call("w:1", What.TRY, 10, 200, Outcome.REFUSED);
        reads("b", 60, 110);
        reads("a", 103, 190);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }

    /** The readers of Redisson join each other, whoever waits. */
    @Test
    void writer_besideRedisson() {
        reads("a", 1, 100);
        story.lock("w:1", 10, 200);
        reads("b", 60, 110);
        reads("a", 103, 190);
        story.by(By.REDISSON).lock("d:1" + Operation.READS, 15, 200);
        assertThat(decision()).isEqualTo(Decision.KEPT);
    }
}
