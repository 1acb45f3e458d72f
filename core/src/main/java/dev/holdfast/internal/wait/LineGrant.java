package dev.holdfast.internal.wait;

import dev.holdfast.internal.hold.GrantingCommand;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.GrantMessage;
import java.util.concurrent.TimeUnit;

/**
 * A grant from the line of clients: its owner has the lock on the message of the release, without a command of its own.
 * It is a command of the owner, in whose lane it is the one command that runs.
 *
 * <p>The lease counts from the time at which the server granted it, which the message names. The attempt that joined
 * the line was sent at a known time of the local clock, and its reply named the server's time then; so the grant was at
 * the earliest as much later on the local clock as it was on the server's. The time at which the message arrives proves
 * nothing: it may have waited in a socket while this process was paused.
 *
 * <p>The grant is not used, and an attempt adopts it instead, if little of its lease is left, if a clock seems to have
 * been set or stopped since, if it comes so late that the difference between the clocks matters, if the lock is
 * fenced and the message has no token, if the node was silent recently or the lock has moved to another one, or if a
 * longer explicit lease was requested than a release grants. Its lease is the shorter one of that requested and the
 * command timeout; a renewal extends it to the watchdog timeout like any other.
 */
final class LineGrant extends GrantingCommand {
    /** How far the wall clock may have run ahead of the monotonic clock, which stands still while a machine sleeps. */
    private static final long APART_MILLIS = 100;

    /** How much more time than here may seem to have passed at the server, whose clock runs at a rate of its own. */
    private static final long CLOCKS_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final LinePlaces.Place place;
    private final GrantMessage message;

    /** From the attempt to the grant, by the server's clock. */
    private final long laterNanos;

    LineGrant(LinePlaces.Place place, GrantMessage message) {
        super(place.waiter().lane());
        this.place = place;
        this.message = message;
        this.laterNanos = TimeUnit.MICROSECONDS.toNanos(message.serverMicros() - place.serverMicros());
    }

    /** {@return whether the owner may start with it} */
    boolean isUsable() {
        long passedNanos = session().now() - place.found().sentNanos();
        long wallMillis = session().wallMillis().getAsLong() - place.found().sentWallMillis();
        boolean clocksAgree = wallMillis - TimeUnit.NANOSECONDS.toMillis(passedNanos) < APART_MILLIS;
        long usedNanos = passedNanos - laterNanos;
        return lock().kind() instanceof Enlists kind
                && kind.startsOn(message)
                && clocksAgree
                && place.found().home() == home()
                && place.found().home().isSteady()
                && laterNanos >= 0
                && laterNanos <= place.granted().nanos()
                && usedNanos >= -CLOCKS_NANOS
                && usedNanos <= place.granted().nanos() / 2
                && (place.granted().watched()
                        || place.waiter().lease().nanos() <= place.granted().nanos());
    }

    /** Starts, if the owner has no command in progress; otherwise an attempt of the owner adopts the grant. */
    void begin() {
        if (lane().reserve(this)) {
            start();
        } else {
            place.waiter().attempt();
        }
    }

    @Override
    protected void run() {
        if (lane().hasOrphanNewerThan(place.tenure())) {
            // The release of the orphan would end this hold. An attempt has a tenure that is newer than both.
            done();
            place.waiter().attempt();
            return;
        }
        lane().clearOrphansUpTo(place.tenure());
        Hold hold = new Hold(lane(), place.tenure(), session().now(), place.waiter(), false);
        hold.confirmedWhileHome(place.found().home());
        hold.setDrawn(message.drawn(), place.found().home());
        holds().keep(hold, grantedNanos(), place.granted());
        if (!deliver(hold, place.waiter())) {
            place.waiter().attempt();
        }
        holds().verifyIfMoved(hold);
    }

    /**
     * {@return when the lock was granted at the earliest, on the local clock} Since the attempt, the server's clock may have
     * run ahead of it by the drift that is allowed for.
     */
    private long grantedNanos() {
        long laterHereNanos =
                Math.min(laterNanos, session().now() - place.found().sentNanos());
        return place.found().sentNanos() + laterHereNanos - session().driftNanos(laterHereNanos);
    }

    /** Never called: no call is sent. */
    @Override
    public String toString() {
        return "grant to " + lane();
    }
}
