package dev.holdfast.campaign.soak;

import dev.holdfast.campaign.nemesis.Nemesis;
import dev.holdfast.campaign.nemesis.Site;
import dev.holdfast.campaign.nemesis.Witness;
import dev.holdfast.campaign.run.Venue;
import dev.holdfast.campaign.run.WorkersLog;
import dev.holdfast.campaign.schedule.FaultKind;
import dev.holdfast.campaign.schedule.FaultPlan;
import dev.holdfast.campaign.worker.Leftovers;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The minutes of a soak on the same servers with the same processes. Confined to one thread. */
final class Leg {
    /** After the end of a fault, each client works with each kind again in this time. */
    private static final Duration RECOVERED_WITHIN = Duration.ofSeconds(60);

    /** Longer than the leases of clients that were killed last. */
    private static final Duration CLEAN_UP = Duration.ofSeconds(30);

    /** The most that a client has to each server. */
    private static final int CONNECTIONS = 2;

    private static final Pattern SUBSCRIPTIONS = Pattern.compile(" (?:sub|psub|ssub)=(\\d+)");

    private final int number;
    private final Pace pace;
    private final Venue venue;
    private final SoakSeats seats;
    private final Progress progress;
    private final WorkersLog log;
    private final List<String> violations;
    private final Site site;

    /**
     * A leg that has begun.
     *
     * @param log that of the processes
     * @param violations those of the current minute, which remain if it fails
     */
    Leg(
            int number,
            Pace pace,
            Venue venue,
            SoakSeats seats,
            Progress progress,
            WorkersLog log,
            List<String> violations) {
        this.number = number;
        this.pace = pace;
        this.venue = venue;
        this.seats = seats;
        this.progress = progress;
        this.log = log;
        this.violations = violations;
        this.site = new Site(venue.servers(), venue.links(), seats.victims(), Kind.targets());
    }

    /**
     * Plays one minute: the actors work, a fault begins and ends, they work on, and rest.
     *
     * @return its entries
     */
    List<Entry> play(int minute, List<FaultPlan> faults) throws InterruptedException {
        long began = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(pace.calm().toNanos());
        long faultBegan = System.nanoTime();
        LastEnd fault = new LastEnd();
        if (pace.faults()) {
            new Nemesis(site, fault).carryOut(faults);
        }
        List<String> idle = progress.awaitAllSince(fault.at, RECOVERED_WITHIN);
        if (!idle.isEmpty()) {
            violations.add("no work within " + RECOVERED_WITHIN.toSeconds() + " s: " + idle);
        }
        TimeUnit.NANOSECONDS.sleep(began + pace.work().toNanos() - System.nanoTime());
        List<Entry> entries = new ArrayList<>(ofProcesses(minute));
        List<SoakAnswer.Worked> worked = progress.take();
        boolean loses = pace.faults() && faults.stream().anyMatch(each -> losesLocks(each.kind()));
        violations.addAll(Exclusion.violations(worked, loses ? faultBegan : Long.MAX_VALUE));
        entries.add(ofServers(minute));
        violations.addAll(log.complaints());
        seats.resume();
        entries.add(new Entry.Minute(
                minute,
                faults.get(0).kind(),
                Progress.recovery(worked, fault.at).toMillis(),
                worked.stream()
                        .filter(each -> each.isHold() || each.name().isEmpty())
                        .count()));
        if (!violations.isEmpty()) {
            entries.add(new Entry.Violation(minute, List.copyOf(violations)));
            violations.clear();
        }
        return entries;
    }

    /** All actors are at rest when this returns. */
    private List<Entry> ofProcesses(int minute) throws InterruptedException {
        List<Entry> entries = new ArrayList<>();
        List<SoakAnswer.Rested> rested = seats.rest();
        for (int process = 0; process < rested.size(); process++) {
            SoakAnswer.Rested needs = rested.get(process);
            String series = number + "/" + seats.series(process);
            needs.left().forEach(left -> violations.add("left in process " + series + ": " + left));
            entries.add(new Entry.OfProcess(
                    series, minute, needs.heap(), needs.threads(), needs.descriptors(), needs.failed()));
        }
        return entries;
    }

    private static boolean losesLocks(FaultKind kind) {
        return kind == FaultKind.KEY_DELETED
                || kind == FaultKind.SERVER_EMPTIED
                || kind == FaultKind.REPLICAS_CUT
                || kind.replacesMaster();
    }

    private Entry ofServers(int minute) throws InterruptedException {
        Leftovers.within(CLEAN_UP, () -> left("key "))
                .forEach(key -> violations.add("left while nothing is held: " + key));
        List<RedisServer> masters = venue.masters();
        int most = CONNECTIONS * Pace.CLIENTS * masters.size();
        Leftovers.within(CLEAN_UP, () -> left("connection ").stream().skip(most).toList())
                .forEach(further -> violations.add("more than " + most + " connections: " + further));
        List<String> connections = left("connection ");
        long subscriptions = 0;
        for (String connection : connections) {
            for (Matcher count = SUBSCRIPTIONS.matcher(connection); count.find(); ) {
                subscriptions += Long.parseLong(count.group(1));
            }
        }
        long keys = masters.stream()
                .mapToLong(master -> Long.parseLong(String.valueOf(master.command("DBSIZE"))))
                .sum();
        return new Entry.OfServers(Integer.toString(number), minute, connections.size(), subscriptions, keys);
    }

    private List<String> left(String kind) {
        return venue.left().stream().filter(left -> left.startsWith(kind)).toList();
    }

    /** When the last fault has ended; without one, this moment. */
    private static final class LastEnd implements Witness {
        private long at = System.nanoTime();

        @Override
        public void ended(FaultPlan fault) {
            at = System.nanoTime();
        }
    }
}
