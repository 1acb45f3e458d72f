package dev.holdfast.benchmarks.measure;

import java.io.Serializable;

/**
 * Counts durations in buckets whose width is a 32nd of their values, so that a percentile is accurate to about 3 %,
 * however long the durations are. The longest duration is kept exactly. For one writer at a time.
 */
public final class WaitHistogram implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Values below this have a bucket each; every doubling above has the same number of buckets. */
    private static final int LINEAR = 32;

    private static final int LINEAR_BITS = 5;

    private final long[] counts = new long[(Long.SIZE - LINEAR_BITS) * LINEAR];
    private long count;
    private long max;

    /** Counts a duration; a negative one counts as zero. */
    public void record(long nanos) {
        long value = Math.max(0, nanos);
        counts[bucket(value)]++;
        count++;
        max = Math.max(max, value);
    }

    /** Records a duration that has not ended: it can be the longest, but is not counted. */
    public void atLeast(long nanos) {
        max = Math.max(max, nanos);
    }

    /** Adds the durations of another histogram. */
    public void add(WaitHistogram other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        count += other.count;
        max = Math.max(max, other.max);
    }

    /** {@return the number of durations counted} */
    public long count() {
        return count;
    }

    /** {@return the longest duration, 0 if there was none} */
    public long max() {
        return max;
    }

    /**
     * {@return the duration that this share of the durations did not exceed, rounded up to the end of its bucket; NaN
     * if there are none}
     *
     * @param part the share, such as 0.99
     */
    public double percentile(double part) {
        long rank = Math.max(1, (long) Math.ceil(part * count));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return Math.min(max, lastOf(i));
            }
        }
        return Double.NaN;
    }

    private static int bucket(long value) {
        int octave = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(value) - LINEAR_BITS - 1);
        return octave * LINEAR + (int) (value >>> octave);
    }

    private static long lastOf(int bucket) {
        int octave = Math.max(0, bucket / LINEAR - 1);
        return ((bucket - octave * LINEAR + 1L) << octave) - 1;
    }
}
