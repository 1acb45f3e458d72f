package dev.holdfast.campaign.soak;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What the actors of all processes have done in the current minute. Thread-safe. */
final class Progress {
    /** The beginning of the last work; guarded by this, as the next field is. */
    private final Map<Part, Long> last = new HashMap<>();

    private final List<SoakAnswer.Worked> done = new ArrayList<>();

    /** What a client does with a kind. */
    private record Part(int client, Kind kind) {}

    /** @param clients whose work is awaited, from 0 */
    Progress(int clients) {
        long now = System.nanoTime();
        for (int client = 0; client < clients; client++) {
            for (Kind kind : Kind.values()) {
                last.put(new Part(client, kind), now);
            }
        }
    }

    synchronized void add(SoakAnswer.Worked worked) {
        done.add(worked);
        last.put(new Part(worked.client(), worked.kind()), worked.from());
        notifyAll();
    }

    /**
     * Waits until each client has begun to do work of each kind after a moment, and did it.
     *
     * @return which have not within this time
     */
    synchronized List<String> awaitAllSince(long moment, Duration longest) throws InterruptedException {
        long end = System.nanoTime() + longest.toNanos();
        List<String> without = without(moment);
        for (long left = longest.toNanos(); !without.isEmpty() && left > 0; left = end - System.nanoTime()) {
            wait(TimeUnit.NANOSECONDS.toMillis(left) + 1);
            without = without(moment);
        }
        return without;
    }

    private List<String> without(long moment) {
        return last.entrySet().stream()
                .filter(part -> part.getValue() - moment < 0)
                .map(part ->
                        part.getKey().kind() + " of client " + part.getKey().client())
                .sorted()
                .toList();
    }

    /** {@return what was done since the last call} */
    synchronized List<SoakAnswer.Worked> take() {
        List<SoakAnswer.Worked> taken = List.copyOf(done);
        done.clear();
        return taken;
    }
}
