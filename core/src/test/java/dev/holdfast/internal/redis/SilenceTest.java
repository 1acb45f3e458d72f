package dev.holdfast.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** After which replies a node can have been replaced; times are in nanoseconds. */
@Tag("pure")
final class SilenceTest {
    private static final long LONGEST = 100;

    /** Near the largest number: the differences of times are compared. */
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 150);

    private final long began = clock.get();
    private final Silence silence = new Silence(clock::get, LONGEST);

    private void heardAfter(long nanos) {
        clock.addAndGet(nanos);
        silence.heard();
    }

    /** Replies that follow each other closely are no silence. */
    @Test
    void steady() {
        heardAfter(100);
        heardAfter(100);
        assertThat(silence.endedAfter(began + 1)).isFalse();
        assertThat(silence.isLongOver()).isTrue();
    }

    /** All that was sent before a silence ended is doubtful, and nothing that is sent later. */
    @Test
    void silent() {
        heardAfter(101);
        long resumed = clock.get();
        heardAfter(1);
        assertThat(silence.endedAfter(resumed)).isTrue();
        assertThat(silence.endedAfter(resumed + 1)).isFalse();
        assertThat(silence.isLongOver()).isFalse();
    }

    /** A silence that lasts is no better than one that has just ended. */
    @Test
    void silent_still() {
        heardAfter(90);
        heardAfter(90);
        assertThat(silence.isLongOver()).isTrue();
        clock.addAndGet(101);
        assertThat(silence.isLongOver()).isFalse();
    }

    /** It is over once the node was heard for as long. */
    @Test
    void silent_before() {
        heardAfter(101);
        heardAfter(100);
        assertThat(silence.isLongOver()).isFalse();
        heardAfter(1);
        assertThat(silence.isLongOver()).isTrue();
    }
}
