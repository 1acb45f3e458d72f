package dev.holdfast.campaign.nemesis;

import dev.holdfast.campaign.schedule.ClientPlan;
import dev.holdfast.campaign.schedule.FaultKind;
import dev.holdfast.campaign.schedule.FaultPlan;
import dev.holdfast.testkit.Direction;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.Faults;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * A fault as two actions: one that begins it, and one that ends it. After a fault of a master, its place is taken by
 * another one, and a third action puts the servers right.
 *
 * @param begin run when the fault begins
 * @param end run when the fault ends; for the clients it is over when this returns
 * @param repair run afterwards, before the next fault begins
 */
record Affliction(Runnable begin, Runnable end, Runnable repair) {
    /** Long enough to change how the commands of clients interleave, and much shorter than any timeout. */
    private static final Duration LATENESS = Duration.ofMillis(15);

    /** Longer than the longest command timeout of a round, which is a third of its watchdog timeout. */
    private static final Duration PAST_THE_TIMEOUT = Duration.ofMillis(1_500);

    /** The largest number of connections that {@link FaultKind#REPLIES_CUT} cuts. */
    private static final int REPLIES = 3;

    /** The command name that only the scripts of a lock have. */
    private static final String SCRIPT = "EVALSHA";

    /** The channel of the grants to one client ends with the client's id, and that of the signals to its waiters follows it. */
    private static final Predicate<String> IS_OF_CLIENT = Pattern.compile(
                    "}.*:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(:signals)?$")
            .asPredicate();

    /** A fault after which nothing is to be put right. */
    Affliction(Runnable begin, Runnable end) {
        this(begin, end, () -> {});
    }

    /** {@return the actions of this fault at this site} */
    static Affliction of(FaultPlan fault, Site site) {
        if (fault.kind() == FaultKind.KEY_FORBIDDEN) {
            return forbidden(site, ClientPlan.user(fault.client()), site.locks().get(fault.lock()));
        }
        return switch (fault.kind().target()) {
            case SERVER -> ofServer(fault, site.server(), site.locks().get(fault.lock()));
            case MASTER -> ofMaster(fault, site, site.locks().get(fault.lock()));
            case CLIENT -> ofClient(fault, site.victims().get(fault.client()));
            case LINK -> ofLink(fault, site.links().get(fault.client()));
        };
    }

    /**
     * The rights of a user are patterns of permitted keys. These permit all keys but one: the other locks by name, and
     * the keys that belong to any lock.
     */
    private static Affliction forbidden(Site site, String user, String lock) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", user, "resetkeys", "~*:{*}*"));
        site.locks().stream().filter(other -> !other.equals(lock)).forEach(other -> command.add("~" + other));
        return new Affliction(() -> site.server().command(command.toArray(String[]::new)), () -> site.server()
                .command("ACL", "SETUSER", user, "~*"));
    }

    private static Affliction ofServer(FaultPlan fault, RedisServer server, String lock) {
        return switch (fault.kind()) {
            case SERVER_PAUSED, SERVER_PAUSED_LONG -> new Affliction(server::pause, server::resume);
            case SERVER_KILLED -> new Affliction(server::kill, server::restart);
            case SERVER_EMPTIED -> new Affliction(server::kill, server::restartEmpty);
            case SCRIPTS_FLUSHED -> atOnce(() -> server.command("SCRIPT", "FLUSH"));
            case KEY_DELETED -> atOnce(() -> server.command("DEL", lock));
            default -> throw unknown(fault);
        };
    }

    private static Affliction ofMaster(FaultPlan fault, Site site, String lock) {
        return switch (fault.kind()) {
            case MASTER_REPLACED, MASTER_SWITCHED -> site.masters().replaced(lock);
            case MASTER_TAKEN_OVER -> site.cluster().takenOver(lock);
            case MASTER_KILLED -> site.masters().killed(lock);
            case MASTER_PAUSED -> site.masters().paused(lock);
            case REPLICAS_CUT -> site.masters().cutOff(lock);
            case SENTINEL_PAUSED -> site.sentinels().paused(fault.client());
            case SENTINELS_PAUSED -> site.sentinels().paused();
            case SLOT_MOVED -> site.cluster().moved(lock);
            default -> throw unknown(fault);
        };
    }

    private static Affliction ofClient(FaultPlan fault, Victim victim) {
        return switch (fault.kind()) {
            case CLIENT_PAUSED, CLIENT_PAUSED_LONG -> new Affliction(victim::freeze, victim::thaw);
            case CLIENT_KILLED -> new Affliction(victim::kill, victim::replace);
            case CLIENT_CLOSED -> new Affliction(victim::close, victim::reopen);
            default -> throw unknown(fault);
        };
    }

    private static Affliction ofLink(FaultPlan fault, FaultProxy link) {
        return switch (fault.kind()) {
            case CUT_FIN -> atOnce(link::cutFin);
            case CUT_RST -> atOnce(link::cutRst);
            case CONNECTIONS_REFUSED ->
                healed(link, () -> {
                    link.refuse();
                    link.cutRst();
                });
            case DELAY -> healed(link, () -> link.delay(LATENESS));
            case REQUESTS_LATE -> late(link, Direction.REQUESTS);
            case REPLIES_LATE -> late(link, Direction.REPLIES);
            case BLACK_HOLE, BLACK_HOLE_LONG -> healed(link, link::blackHole);
            case REQUESTS_LOST -> healed(link, () -> link.blackHole(Direction.REQUESTS));
            case REPLIES_LOST -> healed(link, () -> link.blackHole(Direction.REPLIES));
            case BLACK_HOLE_SUBSCRIPTIONS ->
                healed(link, () -> subscriptions(link).blackHole());
            case UNSUBSCRIBED ->
                healed(link, () -> {
                    link.refuse();
                    subscriptions(link).cutRst();
                });
            case GRANTS_LOST -> healed(link, () -> link.loseMessages(IS_OF_CLIENT));
            case REPLIES_SWALLOWED -> swallowed(link.matching(connection -> true));
            case REPLIES_CUT -> healed(link, () -> repeat(() -> link.cutInsteadOfReplyTo(SCRIPT)));
            case LATE_BYTES -> of(LateBytes.of(link));
            default -> throw unknown(fault);
        };
    }

    private static Faults subscriptions(FaultProxy link) {
        return link.matching(connection -> connection.commands("SUBSCRIBE") > 0);
    }

    /** Losing replies ends in a reset of the connections: no network loses a part of a stream and continues it. */
    private static Affliction swallowed(Faults connections) {
        return new Affliction(() -> connections.drop(Direction.REPLIES), connections::cutRst);
    }

    /** The fault is over when the last delayed data has arrived, since later data waits behind it. */
    private static Affliction late(FaultProxy link, Direction direction) {
        return new Affliction(() -> link.delay(direction, PAST_THE_TIMEOUT), () -> {
            link.heal();
            LockSupport.parkNanos(PAST_THE_TIMEOUT.toNanos());
        });
    }

    private static Affliction of(LateBytes bytes) {
        return new Affliction(bytes::gather, bytes::deliver);
    }

    private static Affliction healed(FaultProxy link, Runnable begin) {
        return new Affliction(begin, link::heal);
    }

    private static Affliction atOnce(Runnable deed) {
        return new Affliction(deed, () -> {});
    }

    private static void repeat(Runnable rule) {
        for (int i = 0; i < REPLIES; i++) {
            rule.run();
        }
    }

    private static IllegalArgumentException unknown(FaultPlan fault) {
        return new IllegalArgumentException(
                fault.kind() + " is not a fault of " + fault.kind().target());
    }
}
