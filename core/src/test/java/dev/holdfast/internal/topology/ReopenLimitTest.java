package dev.holdfast.internal.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("pure")
final class ReopenLimitTest {
    private double random;
    private boolean leadToTwo = true;
    private long nowNanos = Long.MAX_VALUE - 1; // a clock may begin anywhere, and overflow
    private final ReopenLimit limit = new ReopenLimit(() -> random);

    private void pass(Duration time) {
        nowNanos += time.toNanos();
    }

    /** Opens as often as it may, and returns the pauses before. */
    private List<Duration> open(int times) {
        List<Duration> pauses = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            Duration pause = limit.pause(nowNanos);
            pauses.add(pause);
            pass(pause);
            limit.begin(nowNanos, leadToTwo);
        }
        return pauses;
    }

    private static List<Duration> seconds(long... seconds) {
        List<Duration> all = new ArrayList<>();
        for (long each : seconds) {
            all.add(Duration.ofSeconds(each));
        }
        return all;
    }

    /** The pauses double, up to a minute. */
    @Test
    void pauses_double() {
        assertThat(open(8)).isEqualTo(seconds(0, 5, 10, 20, 40, 60, 60, 60));
        assertThat(limit.row(nowNanos)).isEqualTo(8);
    }

    /** Each pause is longer by up to a quarter. */
    @Test
    void pauses_differ() {
        random = 1;
        limit.begin(nowNanos, leadToTwo);
        assertThat(limit.pause(nowNanos)).isEqualTo(Duration.ofMillis(6250));
    }

    /** What has passed of a pause counts. */
    @Test
    void pause_passes() {
        limit.begin(nowNanos, leadToTwo);
        pass(Duration.ofSeconds(3));
        assertThat(limit.pause(nowNanos)).isEqualTo(Duration.ofSeconds(2));
        pass(Duration.ofSeconds(3));
        assertThat(limit.pause(nowNanos)).isZero();
        assertThat(limit.row(nowNanos)).isOne();
    }

    /** After three in vain, connections that are of some use are kept. */
    @Test
    void thirdInVain_isTheLast() {
        open(2);
        assertThat(limit.isUseless(nowNanos)).isFalse();
        open(1);
        assertThat(limit.isUseless(nowNanos)).isTrue();
    }

    /** What was opened anew since the server was a replica says nothing about connections that lead to two servers. */
    @Test
    void replicas_doNotCount() {
        leadToTwo = false;
        open(3);
        leadToTwo = true;
        open(2);
        assertThat(limit.isUseless(nowNanos)).isFalse();
        open(1);
        assertThat(limit.isUseless(nowNanos)).isTrue();
    }

    /** Those that have led to one server in between were not in vain. */
    @Test
    void together_beginsAnew() {
        open(2);
        limit.foundTogether();
        open(2);
        assertThat(limit.isUseless(nowNanos)).isFalse();
        open(1);
        assertThat(limit.isUseless(nowNanos)).isTrue();
    }

    /** After a long time without another one, the next is the first. */
    @Test
    void row_isForgotten() {
        open(5);
        pass(ReopenLimit.FORGOTTEN);
        assertThat(limit.row(nowNanos)).isEqualTo(5);
        pass(Duration.ofNanos(1));
        assertThat(limit.row(nowNanos)).isZero();
        assertThat(limit.isUseless(nowNanos)).isFalse();
        assertThat(open(2)).isEqualTo(seconds(0, 5));
    }
}
