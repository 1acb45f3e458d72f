package dev.holdfast.script.line;

import dev.holdfast.script.line.LineState.Hold;
import java.time.Duration;
import java.util.stream.Stream;

/**
 * One command for a lock, or one event.
 *
 * @param owner of the hold it is about; empty for an event
 * @param tenure the hold it is about; of a handoff, the hold after it
 * @param holds the count after it; 0 if that has no meaning
 * @param hours the lease it requests; 0 if it requests none
 * @param channel on which its releases are published, and to which its client must listen to join the line
 * @param from of a handoff: the hold that is handed off; otherwise {@link Hold#NONE}
 */
record LineCommand(Verb verb, String owner, long tenure, int holds, int hours, LineChannel channel, Hold from) {

    enum Verb {
        ACQUIRE("acquire.lua"),
        /** An acquire that joins the line if the lock is busy. */
        JOIN("acquire.lua"),
        RELEASE("release.lua"),
        RENEW("renew.lua"),
        HANDOFF("handoff.lua"),
        FORCE_UNLOCK("force-unlock.lua"),
        /** What Redisson does to the key, which does not know of the line. */
        REDISSON_LOCK("redisson-lock.lua"),
        REDISSON_UNLOCK("redisson-unlock.lua"),
        /** The lease runs out. */
        EXPIRE("expire.lua"),
        /** Some milliseconds pass, more than a turn of the line. */
        PAUSE("nothing.lua"),
        /** Some seconds pass, in which the lock was granted to many clients. */
        CROWD("crowd.lua");

        private final String file;

        Verb(String file) {
            this.file = file;
        }

        String file() {
            return file;
        }

        /** {@return whether it is one of the client's own commands, which are safe when they come twice or late} */
        boolean mayComeAgain() {
            return compareTo(FORCE_UNLOCK) < 0;
        }

        boolean acquires() {
            return this == ACQUIRE || this == JOIN;
        }
    }

    static LineCommand of(Verb verb, String owner, long tenure, int holds, int hours) {
        return new LineCommand(verb, owner, tenure, holds, hours, LineChannel.QUIET, Hold.NONE);
    }

    static LineCommand event(Verb verb) {
        return of(verb, "", 0, 0, 0);
    }

    static LineCommand handoff(Hold from, String owner, long tenure, int hours) {
        return new LineCommand(Verb.HANDOFF, owner, tenure, 1, hours, LineChannel.QUIET, from);
    }

    LineCommand on(LineChannel other) {
        return new LineCommand(verb, owner, tenure, holds, hours, other, from);
    }

    static String clientOf(String owner) {
        return owner.substring(0, owner.indexOf(':'));
    }

    /** {@return the client that sends it; empty for an event} */
    String client() {
        return owner.isEmpty() ? "" : clientOf(owner);
    }

    static String labelOf(String owner) {
        return "label of " + clientOf(owner);
    }

    /** {@return the lease that a grant gives an attempt which requests this one} */
    static int claimOf(int hours) {
        return hours + 1;
    }

    /** {@return the microseconds from the command before it to this one} */
    long elapsed() {
        return switch (verb) {
            case PAUSE -> 20_000;
            case CROWD -> 2_000_000;
            default -> 1_000;
        };
    }

    Object[] arguments(LineKind kind) {
        long lease = millis(hours);
        boolean fair = kind == LineKind.FAIR;
        return switch (verb) {
            case ACQUIRE -> new Object[] {owner, tenure, holds, lease};
            case JOIN ->
                join(lease, fair ? new Object[] {channel.channel(), "NUMSUB", 1} : new Object[] {channel.channel()});
            case RELEASE ->
                fair
                        ? new Object[] {owner, tenure, holds, channel.channel(), "PUBLISH", 1}
                        : new Object[] {owner, tenure, holds, channel.channel(), "PUBLISH"};
            case RENEW -> new Object[] {owner, tenure, lease};
            case HANDOFF -> new Object[] {owner, tenure, lease, from.owner(), from.tenure()};
            case FORCE_UNLOCK -> new Object[] {channel.channel(), "PUBLISH", "0"};
            case REDISSON_LOCK -> new Object[] {owner, lease};
            case REDISSON_UNLOCK -> new Object[] {owner, channel.channel()};
            case EXPIRE, PAUSE, CROWD -> new Object[0];
        };
    }

    private Object[] join(long lease, Object... line) {
        Object[] claim = {owner, tenure, holds, lease, labelOf(owner), millis(claimOf(hours))};
        return Stream.of(claim, line).flatMap(Stream::of).toArray();
    }

    private static long millis(int hours) {
        return Duration.ofHours(hours).toMillis();
    }

    @Override
    public String toString() {
        String of = from.isNone() ? "" : ", from " + from.owner() + ", tenure " + from.tenure();
        String lease = hours == 0 ? "" : ", " + hours + " h";
        String where = channel == LineChannel.QUIET ? "" : ", " + channel;
        return owner.isEmpty()
                ? verb.toString()
                : verb + "(" + owner + ", tenure " + tenure + ", to " + holds + lease + of + where + ")";
    }
}
