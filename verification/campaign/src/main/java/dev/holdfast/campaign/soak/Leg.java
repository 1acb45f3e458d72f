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
    /** After a fault, each client works with each kind again in this time. */
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
    private final Site site;

    /** @param log that of the processes */
    Leg(int number, Pace pace, Venue venue, SoakSeats seats, Progress progress, WorkersLog log) {
        this.number = number;
        this.pace = pace;
        this.venue = venue;
        this.seats = seats;
        this.progress = progress;
        this.log = log;
        this.site = new Site(venue.servers(), venue.links(), seats.victims(), Kind.targets());
    }

    /**
     * Plays one minute: the actors work, a fault begins and ends, they work on, and rest.
     *
     * @return its entries
     */
    List<Entry> play(int minute, List<FaultPlan> faults) throws InterruptedException {
        List<String> violations = new ArrayList<>();
        long began = System.nanoTime();
        TimeUnit.NANOSECONDS.sleep(pace.peace().toNanos());
        long faultBegan = System.nanoTime();
        if (pace.faults()) {
            new Nemesis(site, Unheeded.WITNESS).carryOut(faults);
        }
        long recovery = recover(violations);
        TimeUnit.NANOSECONDS.sleep(began + pace.work().toNanos() - System.nanoTime());
        List<Entry> entries = new ArrayList<>(ofProcesses(minute, violations));
        List<SoakAnswer.Worked> worked = progress.take();
        boolean loses = faults.stream().anyMatch(fault -> losesLocks(fault.kind()));
        violations.addAll(Exclusion.violations(worked, loses ? faultBegan : Long.MAX_VALUE));
        entries.add(ofServers(minute, violations));
        violations.addAll(log.complaints());
        seats.resume();
        entries.add(new Entry.Minute(
                minute,
                faults.get(0).kind(),
                TimeUnit.NANOSECONDS.toMillis(recovery),
                worked.stream()
                        .filter(each -> each.isHold() || each.name().isEmpty())
                        .count()));
        if (!violations.isEmpty()) {
            entries.add(new Entry.Violation(minute, violations));
        }
        return entries;
    }

    /** {@return how many nanoseconds it takes from now on until each client has worked with each kind} */
    private long recover(List<String> violations) throws InterruptedException {
        long ended = System.nanoTime();
        List<String> idle = progress.awaitAllSince(ended, RECOVERED_WITHIN);
        if (!idle.isEmpty()) {
            violations.add("no work within " + RECOVERED_WITHIN.toSeconds() + " s: " + idle);
        }
        return System.nanoTime() - ended;
    }

    /** All actors are at rest when this returns. */
    private List<Entry> ofProcesses(int minute, List<String> violations) throws InterruptedException {
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

    private Entry ofServers(int minute, List<String> violations) throws InterruptedException {
        Leftovers.within(CLEAN_UP, () -> of("key "))
                .forEach(key -> violations.add("left while nothing is held: " + key));
        List<RedisServer> masters = venue.masters();
        int most = CONNECTIONS * Pace.CLIENTS * masters.size();
        Leftovers.within(CLEAN_UP, () -> of("connection ").stream().skip(most).toList())
                .forEach(further -> violations.add("more than " + most + " connections: " + further));
        List<String> connections = of("connection ");
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

    private List<String> of(String what) {
        return venue.left().stream().filter(left -> left.startsWith(what)).toList();
    }

    /** The entry of the minute names the fault; when it began and ended is not recorded. */
    private static final class Unheeded implements Witness {
        private static final Witness WITNESS = new Unheeded();

        @Override
        public void begins(FaultPlan fault) {}

        @Override
        public void ended(FaultPlan fault) {}

        @Override
        public void repaired(FaultPlan fault) {}
    }
}
