package dev.holdfast.internal.latch;

import dev.holdfast.internal.kind.SynchronizerKey;
import dev.holdfast.internal.latch.LatchScripts.Countdown;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.session.Session;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * The countdowns that Redis has acknowledged within the last 30 s, of all latches of a client, and the home that has each: one
 * that takes its place may lack them. At most {@link #MOST_KEPT}.
 */
final class RecentCountdowns {
    static final int MOST_KEPT = 512;

    /** Longer than a failover takes, and than a replica usually lags behind. */
    static final Duration KEPT = Duration.ofSeconds(30);

    private record Acknowledged(LatchKey latch, Countdown countdown, Home by, long sinceNanos) {}

    private final Session session;

    /** The oldest first. Guarded by this. */
    private final Deque<Acknowledged> all = new ArrayDeque<>();

    RecentCountdowns(Session session) {
        this.session = session;
    }

    /** This home has acknowledged a countdown. */
    synchronized void add(Home by, LatchKey latch, Countdown countdown) {
        all.add(new Acknowledged(latch, countdown, by, session.now()));
        if (all.size() > MOST_KEPT) {
            all.remove();
        }
        forgetOld();
    }

    private void forgetOld() {
        long now = session.now();
        while (!all.isEmpty() && now - all.element().sinceNanos() > KEPT.toNanos()) {
            all.remove();
        }
    }

    /** {@return the countdowns of this latch that the home may lack, in the order of their numbers} */
    synchronized List<Countdown> missedBy(Home home, LatchKey latch) {
        forgetOld();
        return all.stream()
                .filter(each -> each.by() != home && each.latch().equals(latch))
                .map(Acknowledged::countdown)
                .toList();
    }

    /** The home has all countdowns of this latch. */
    synchronized void settled(Home home, LatchKey latch) {
        List<Acknowledged> before = List.copyOf(all);
        all.clear();
        before.forEach(each -> all.add(
                each.latch().equals(latch)
                        ? new Acknowledged(latch, each.countdown(), home, each.sinceNanos())
                        : each));
    }

    /** {@return those of these latches that were counted down recently} */
    synchronized List<LatchKey> latches(Predicate<SynchronizerKey> which) {
        forgetOld();
        return all.stream().map(Acknowledged::latch).filter(which).distinct().toList();
    }
}
