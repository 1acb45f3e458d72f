package dev.holdfast.campaign.soak;

import dev.holdfast.campaign.soak.SoakAnswer.Worked;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What the actors of all processes have done in the current minute. Thread-safe. */
final class Progress {
    /** What each client does with each kind. */
    private final List<String> parts;
    /** Guarded by this. */
    private final List<Worked> done = new ArrayList<>();

    /** @param clients whose work is awaited, from 0 */
    Progress(int clients) {
        this.parts = IntStream.range(0, clients)
                .boxed()
                .flatMap(client -> Stream.of(Kind.values()).map(kind -> part(client, kind)))
                .toList();
    }

    private static String part(int client, Kind kind) {
        return kind + " of client " + client;
    }

    synchronized void add(Worked worked) {
        done.add(worked);
        notifyAll();
    }

    /**
     * Waits until each client has begun to do work of each kind after a moment, and did it.
     *
     * @param longest counted from that moment
     * @return which have not within this time
     */
    synchronized List<String> awaitAllSince(long moment, Duration longest) throws InterruptedException {
        long end = moment + longest.toNanos();
        List<String> idle = idleSince(moment);
        for (long left = end - System.nanoTime(); !idle.isEmpty() && left > 0; left = end - System.nanoTime()) {
            wait(TimeUnit.NANOSECONDS.toMillis(left) + 1);
            idle = idleSince(moment);
        }
        return idle;
    }

    private List<String> idleSince(long moment) {
        Set<String> busy = first(done, moment).keySet();
        return parts.stream().filter(part -> !busy.contains(part)).toList();
    }

    /** {@return how long after a moment the last part has begun to work for the first time, of those that have} */
    static Duration recovery(List<Worked> done, long moment) {
        return Duration.ofNanos(first(done, moment).values().stream().reduce(0L, Math::max));
    }

    /** {@return how long after a moment each part has begun to work for the first time} */
    private static Map<String, Long> first(List<Worked> done, long moment) {
        Map<String, Long> first = new HashMap<>();
        done.stream()
                .filter(worked -> worked.from() - moment >= 0)
                .forEach(
                        worked -> first.merge(part(worked.client(), worked.kind()), worked.from() - moment, Math::min));
        return first;
    }

    /** {@return what was done since the last call} */
    synchronized List<Worked> take() {
        List<Worked> taken = List.copyOf(done);
        done.clear();
        return taken;
    }
}
