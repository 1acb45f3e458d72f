package dev.holdfast.internal.kind;

import dev.holdfast.internal.redis.Call;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kind whose clients can wait in a line that is kept in Redis with the lock. The release of the lock then grants it to
 * the first of them, and notifies that client alone.
 */
public interface Enlists {
    /** Whose a place in line is. */
    enum Unit {
        /** A client has one place for all its owners, and hands the lock off among them before it joins the line again. */
        CLIENT,
        /** Each owner has a place of its own, so that the line is in the order of the owners of all clients. */
        OWNER
    }

    /** The message to watch over a lease: its milliseconds. A later version may add words. */
    Pattern WATCH = Pattern.compile("watch (\\d{1,9})(?: .*)?");

    /** The message that a line was opened: the server's time, with fewer digits than the largest {@code long}; and as above. */
    Pattern OPENED = Pattern.compile("opened (\\d{1,18})(?: .*)?");

    /** The message that others wait for those that share the lock: the server's time, as above. */
    Pattern CLOSING = Pattern.compile("closing \\d{1,18}(?: .*)?");

    /**
     * Acquires the lock as {@link Kind#acquire} does, or, if it is busy, gives the client a place in line for this
     * tenure.
     *
     * @param grantLeaseMillis the lease that a release is to grant it with, more than 1
     * @param unit whose the place is to be; of one lock, a client uses one unit at a time
     */
    Call acquireOrEnlist(Claim claim, long grantLeaseMillis, Unit unit, Call.Callback caller);

    /** {@return whose the places of this kind are} While a waiter of a client needs {@code OWNER}, all of that client have it. */
    default Unit unit() {
        return Unit.CLIENT;
    }

    /**
     * {@return whether a client keeps its place in line while owners of it have the lock, since others may be granted beside
     * them} Then their releases serve the line, and need not wake its waiters.
     */
    default boolean waitsBesideHolders() {
        return false;
    }

    /** {@return whether a client with this kind of lock does so} */
    static boolean waitBesideHolders(LockKey lock) {
        return lock.kind() instanceof Enlists kind && kind.waitsBesideHolders();
    }

    /**
     * Releases the lock as {@link Kind#release} does, by a client that knows of others in line: the release may read and
     * write whatever a grant needs.
     */
    Call releaseToLine(Claim claim, Call.Callback caller);

    /**
     * {@return whether the owner can start with this message} Otherwise it needs the reply to a command, for instance
     * because each hold has a token, and the release has drawn none.
     */
    boolean startsOn(GrantMessage message);

    /**
     * {@return for how long the client is to watch over the lease of another one, by this message, in milliseconds; -1 for
     * another message}
     */
    static long readWatch(String message) {
        Matcher watch = WATCH.matcher(message);
        return watch.matches() ? Long.parseLong(watch.group(1)) : -1;
    }

    /**
     * {@return when a line was opened by this message, by the server's clock in microseconds; -1 for what another program
     * has published}
     */
    static long readOpened(String message) {
        Matcher opened = OPENED.matcher(message);
        return opened.matches() ? Long.parseLong(opened.group(1)) : -1;
    }

    /** {@return whether this is the message that what owners share is to admit no more of them, since others wait for the lock} */
    static boolean isClosing(String message) {
        return CLOSING.matcher(message).matches();
    }

    /** {@return the rights to run the commands of the line, in the syntax of ACL rules} */
    static String commandRights() {
        return "+time +pubsub|numsub";
    }

    /** {@return the channel on which grants to this client are published} */
    default String grantChannel(LockKey lock, String clientId) {
        return lock.channel() + ":" + clientId;
    }

    /** {@return the channel of all clients that join the line: it was opened, or the lock is left free for others} */
    static String lineChannel(LockKey lock) {
        return lock.channel() + ":line";
    }
}
