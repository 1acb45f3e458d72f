package dev.holdfast.benchmarks.measure;

import dev.holdfast.benchmarks.measure.Journal.Entry;
import java.util.Comparator;
import java.util.List;

/**
 * How long nobody acquired a lock for which several contend, and how often it had two holders.
 *
 * @param longest the longest time between two successive acquisitions, in nanoseconds
 * @param overlaps the number of acquisitions before the end of an earlier hold
 */
public record Standstill(long longest, long overlaps) {
    /**
     * {@return the standstill in these acquisitions, which may be in any order}
     *
     * @param from the begin of the time that counts; the time from there to the first acquisition is one of those compared
     * @param to its end; likewise
     */
    public static Standstill of(List<Entry> entries, long from, long to) {
        List<Entry> inOrder = entries.stream()
                .sorted(Comparator.comparingLong(Entry::entered))
                .toList();
        long longest = 0;
        long overlaps = 0;
        long last = from;
        long left = Long.MIN_VALUE;
        for (Entry entry : inOrder) {
            if (entry.entered() >= from && entry.entered() < to) {
                longest = Math.max(longest, entry.entered() - last);
                overlaps += entry.entered() < left ? 1 : 0;
                last = entry.entered();
            }
            left = Math.max(left, entry.left());
        }
        return new Standstill(Math.max(longest, to - last), overlaps);
    }
}
