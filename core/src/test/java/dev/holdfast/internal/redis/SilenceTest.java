package dev.holdfast.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a node can have been replaced; times are in nanoseconds. */
@Tag("pure")
final class SilenceTest {
    private static final long LONGEST = 100;

    /** Near the largest number: the differences of times are compared. */
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 150);

    private final long began = clock.get();
    private final Silence silence = new Silence(clock::get, LONGEST);

    private void heardAfter(long nanos) {
        clock.addAndGet(nanos);
        silence.replied();
    }

    private void confirmed() {
        silence.confirmed(clock.get());
    }

    /** A connection may be one to a node that was replaced before. */
    @Test
    void connection_beginsInDoubt() {
        heardAfter(1);
        assertThat(silence.makesDoubtful(clock.get())).isTrue();
        assertThat(silence.isOver()).isFalse();
    }

    /** Replies that follow each other closely are no silence. */
    @Test
    void steady() {
        confirmed();
        heardAfter(100);
        heardAfter(100);
        assertThat(silence.makesDoubtful(began)).isFalse();
        assertThat(silence.isOver()).isTrue();
    }

    /** After a silence all is doubtful, whenever it was sent, and however close the replies follow each other since. */
    @Test
    void silent() {
        confirmed();
        heardAfter(101);
        assertThat(silence.makesDoubtful(clock.get() - 1)).isTrue();
        heardAfter(100);
        heardAfter(100);
        assertThat(silence.makesDoubtful(clock.get())).isTrue();
        assertThat(silence.isOver()).isFalse();
    }

    /** Once others have said that it is the master, all is believed until the next silence, whenever it was sent. */
    @Test
    void silent_confirmed() {
        heardAfter(101);
        confirmed();
        assertThat(silence.makesDoubtful(began)).isFalse();
        assertThat(silence.makesDoubtful(clock.get())).isFalse();
        heardAfter(101);
        assertThat(silence.makesDoubtful(clock.get())).isTrue();
    }

    /** What others have said before a silence says nothing about the time after it. */
    @Test
    void silent_confirmedBefore() {
        heardAfter(50);
        long asked = clock.get();
        heardAfter(101);
        silence.confirmed(asked);
        assertThat(silence.makesDoubtful(clock.get())).isTrue();
    }

    /** If nobody says it, what is sent from then on is believed, and nothing that was sent before. */
    @Test
    void silent_unanswered() {
        heardAfter(101);
        heardAfter(1);
        long asked = clock.get();
        silence.unanswered(asked);
        assertThat(silence.makesDoubtful(asked - 1)).isTrue();
        assertThat(silence.makesDoubtful(asked)).isFalse();
        assertThat(silence.isOver()).isFalse();

        heardAfter(101);
        assertThat(silence.makesDoubtful(clock.get())).isTrue();
    }

    /** They may say it later. */
    @Test
    void silent_confirmedLate() {
        silence.unanswered(clock.get());
        confirmed();
        assertThat(silence.makesDoubtful(began - 1)).isFalse();
        assertThat(silence.isOver()).isTrue();
    }

    /** A silence that lasts is no better than one that has just ended. */
    @Test
    void silent_still() {
        confirmed();
        heardAfter(90);
        assertThat(silence.isOver()).isTrue();
        clock.addAndGet(101);
        assertThat(silence.isOver()).isFalse();
    }
}
