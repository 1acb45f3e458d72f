package dev.holdfast.campaign.run;

import dev.holdfast.campaign.history.Event;
import dev.holdfast.campaign.history.Fault;
import dev.holdfast.campaign.history.Journal;
import dev.holdfast.campaign.nemesis.Servers;
import dev.holdfast.campaign.nemesis.Witness;
import dev.holdfast.campaign.schedule.FaultKind;
import dev.holdfast.campaign.schedule.FaultPlan;
import dev.holdfast.campaign.schedule.RoundPlan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** Records the faults in the journal. Confined to one thread. */
final class FaultDiary implements Witness {
    /** A token is the server's time, so tokens grow even if the server has lost its data. */
    private static final boolean TOKENS_TOO = false;

    private final Journal journal;
    private final RoundPlan plan;
    private final List<Seat> seats;
    private final Servers servers;
    private final Consumer<String> out;
    /** The beginnings of the current faults, by their numbers. */
    private final Map<Integer, Beginning> beginnings = new HashMap<>();

    /** @param locks those that can be lost by the fault */
    private record Beginning(long at, List<String> locks) {}

    /** @param out receives a line about each fault, as text for the user */
    FaultDiary(Journal journal, RoundPlan plan, List<Seat> seats, Servers servers, Consumer<String> out) {
        this.journal = journal;
        this.plan = plan;
        this.seats = seats;
        this.servers = servers;
        this.out = out;
    }

    @Override
    public void begins(FaultPlan fault) {
        List<String> locks = locksOf(fault);
        long began = System.nanoTime();
        beginnings.put(fault.number(), new Beginning(began, locks));
        String target = target(fault);
        journal.write(new Event.FaultBegan(began, fault.number(), recorded(fault.kind()), target));
        out.accept(fault.kind().text() + " -> " + target);
    }

    @Override
    public void ended(FaultPlan fault) {
        if (!lastsUntilRepaired(fault)) {
            end(fault);
        }
    }

    @Override
    public void repaired(FaultPlan fault) {
        if (lastsUntilRepaired(fault)) {
            end(fault);
        }
    }

    /**
     * While replicas are missing, replicated locks are not granted. And a client of another library may believe what a
     * master grants that was replaced.
     */
    private boolean lastsUntilRepaired(FaultPlan fault) {
        return fault.kind().target() == FaultKind.Target.MASTER && (plan.isReplicated() || plan.hasGuest());
    }

    private void end(FaultPlan fault) {
        long ended = System.nanoTime();
        Beginning began =
                Objects.requireNonNull(beginnings.remove(fault.number()), "a fault must begin before it ends");
        for (String lock : began.locks()) {
            boolean certain = !fault.kind().replacesMaster();
            journal.write(new Event.DataLost(began.at(), ended, lock, TOKENS_TOO, certain));
        }
        journal.write(new Event.FaultEnded(ended, fault.number()));
    }

    /** {@return the locks that this fault can lose} A master of a cluster has those of its slots. */
    private List<String> locksOf(FaultPlan fault) {
        String target = plan.locks().get(fault.lock());
        return switch (fault.kind()) {
            case KEY_DELETED -> List.of(target);
            case SERVER_EMPTIED -> List.of(Event.DataLost.ALL);
            default ->
                fault.kind().replacesMaster() && !plan.isReplicated()
                        ? plan.locks().stream()
                                .filter(lock -> servers.areTogether(target, lock))
                                .toList()
                        : List.of();
        };
    }

    private String target(FaultPlan fault) {
        return switch (fault.kind()) {
            case KEY_DELETED -> plan.locks().get(fault.lock());
            case REPLICAS_CUT -> plan.isReplicated() ? Event.Inspected.SERVER : Event.FaultBegan.OTHERS;
            case SENTINEL_PAUSED -> Event.FaultBegan.OTHERS;
            default ->
                switch (fault.kind().target()) {
                    case SERVER, MASTER -> Event.Inspected.SERVER;
                    case CLIENT, LINK -> seats.get(fault.client()).process();
                };
        };
    }

    private static Fault recorded(FaultKind kind) {
        return switch (kind) {
            case SERVER_PAUSED, SERVER_PAUSED_LONG -> Fault.SERVER_PAUSED;
            case SERVER_KILLED -> Fault.SERVER_KILLED;
            case MASTER_REPLACED, SLOT_MOVED -> Fault.LOCK_MOVED;
            case MASTER_TAKEN_OVER, MASTER_SWITCHED, MASTER_KILLED, MASTER_PAUSED -> Fault.MASTER_REPLACED;
            case REPLICAS_CUT -> Fault.REPLICAS_CUT;
            case SENTINEL_PAUSED, SENTINELS_PAUSED -> Fault.SENTINELS_PAUSED;
            case SERVER_EMPTIED -> Fault.SERVER_EMPTIED;
            case SCRIPTS_FLUSHED -> Fault.SCRIPTS_FLUSHED;
            case KEY_DELETED -> Fault.KEY_DELETED;
            case CLIENT_PAUSED, CLIENT_PAUSED_LONG -> Fault.CLIENT_PAUSED;
            case CLIENT_KILLED -> Fault.CLIENT_KILLED;
            case CLIENT_CLOSED -> Fault.CLIENT_CLOSED;
            case KEY_FORBIDDEN -> Fault.KEY_FORBIDDEN;
            case CUT_FIN -> Fault.CUT_FIN;
            case CUT_RST, REPLIES_CUT, CONNECTIONS_REFUSED, UNSUBSCRIBED -> Fault.CUT_RST;
            case DELAY, REQUESTS_LATE, REPLIES_LATE -> Fault.DELAYED;
            case BLACK_HOLE, BLACK_HOLE_LONG, BLACK_HOLE_SUBSCRIPTIONS -> Fault.BLACK_HOLED;
            case REQUESTS_LOST, REPLIES_LOST -> Fault.HALF_OPEN;
            case GRANTS_LOST -> Fault.MESSAGES_LOST;
            case REPLIES_SWALLOWED -> Fault.REPLIES_SWALLOWED;
            case LATE_BYTES -> Fault.BYTES_LATE;
        };
    }
}
