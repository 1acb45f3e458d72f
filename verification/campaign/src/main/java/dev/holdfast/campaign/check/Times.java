package dev.holdfast.campaign.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A set of intervals, which may overlap. Not thread-safe. */
final class Times {
    /** An interval. */
    record Time(long since, long until) {}

    private final List<Time> all = new ArrayList<>();
    private List<Time> merged = List.of();

    void add(long since, long until) {
        all.add(new Time(since, until));
        merged = List.of();
    }

    /** {@return the same intervals in order, without overlaps} */
    List<Time> merged() {
        if (merged.isEmpty()) {
            merged = merge();
        }
        return merged;
    }

    private List<Time> merge() {
        List<Time> result = new ArrayList<>();
        for (Time next :
                all.stream().sorted(Comparator.comparingLong(Time::since)).toList()) {
            int last = result.size() - 1;
            if (last >= 0 && next.since() <= result.get(last).until()) {
                Time before = result.get(last);
                result.set(last, new Time(before.since(), Math.max(before.until(), next.until())));
            } else {
                result.add(next);
            }
        }
        return result;
    }

    /** {@return the parts of the time between these two that no interval covers} */
    List<Time> leftOf(long from, long to) {
        List<Time> left = new ArrayList<>();
        long since = from;
        for (Time time : merged()) {
            if (time.since() >= to) {
                break;
            }
            if (time.since() > since) {
                left.add(new Time(since, time.since()));
            }
            since = Math.max(since, time.until());
        }
        if (since < to) {
            left.add(new Time(since, to));
        }
        return left;
    }
}
