package dev.holdfast.internal.redis;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether it is in doubt that a node, which is one of several, is still the master. One that was stopped for a while, and
 * replaced during that, executes what lies in its sockets before the others notify it, and replies as if it were still the
 * master. How long a call took shows nothing: it may have been sent just before the node continued.
 *
 * <pre>
 *                                a reply, after longer than it takes to be replaced
 *                 BELIEVED -------------------------------------------------------> DOUBTED <----- the connection begins
 *                  ^    ^                                                            |   ^
 *                  |    +---- others, asked since then, say that it is the master ---+   | such a reply
 *                  |                                                                 |   |
 *                  |                                            nobody has answered  v   |
 *                  +--------- others say it after all --------------------------- UNANSWERED
 * </pre>
 *
 * <ul>
 *   <li>While it is DOUBTED, every reply is doubtful, whenever its command was sent: {@linkplain Routing#confirm(int)
 *       others} are asked which node is the master. If they name this one, it was that when it executed the command, since
 *       the question is asked after the reply was read; so that reply is believed, and so are all others until the next
 *       silence. (One that was stopped as well, and was not notified of the failover either, may name it wrongly.)
 *   <li>If there is no other node, there is none that could have replaced it, and it confirms itself.
 *   <li>While the question is UNANSWERED, the replies to commands that were sent before it are doubtful. To those that were
 *       sent later, they are not: otherwise a client could not use a master as long as all other nodes hang. The other
 *       nodes of a cluster have notified a master that was replaced before that, unless it is cut off from them; sentinels
 *       have not.
 *   <li>Time does not heal: a master that its sentinels have replaced may accept commands for seconds, in close order.
 * </ul>
 *
 * <p>A node is silent when nothing was read from it for longer than it takes to be replaced. {@link #replied} is called by the
 * I/O thread of the connection, everything else by any thread.
 */
public final class Silence {
    /**
     * What is in doubt.
     *
     * @param sinceNanos when the doubt began: what others have said before does not count
     * @param askedNanos when others were queried, none of which has replied; null before that
     */
    private record Doubt(long sinceNanos, @Nullable Long askedNanos) {}

    private final LongSupplier clock;
    private final long longestNanos;

    /** When a reply was last read. */
    private volatile long heardNanos;

    /** Null while the node is believed. */
    private final AtomicReference<@Nullable Doubt> doubt;

    /**
     * Begins with a connection, of which nothing has been read.
     *
     * @param clock the monotonic clock by which calls are sent, in nanoseconds
     * @param longestNanos how long a node can be silent without being replaced
     */
    public Silence(LongSupplier clock, long longestNanos) {
        this.clock = clock;
        this.longestNanos = longestNanos;
        this.heardNanos = clock.getAsLong();
        this.doubt = new AtomicReference<>(new Doubt(heardNanos, null));
    }

    /** A reply was read. */
    void replied() {
        long now = clock.getAsLong();
        if (now - heardNanos > longestNanos) {
            doubt.set(new Doubt(now, null));
        }
        heardNanos = now;
    }

    /** Other nodes, queried at that time, have replied that this node is the master. */
    void confirmed(long askedNanos) {
        Doubt now = doubt.get();
        if (now != null && askedNanos - now.sinceNanos() >= 0) {
            doubt.compareAndSet(now, null);
        }
    }

    /** Others were asked at that time, and none has answered. */
    void unanswered(long askedNanos) {
        Doubt now = doubt.get();
        if (now != null && askedNanos - now.sinceNanos() >= 0) {
            doubt.compareAndSet(now, new Doubt(now.sinceNanos(), askedNanos));
        }
    }

    /** {@return whether a reply to a command that was sent then may be that of a node that is not the master any more} */
    boolean makesDoubtful(long sentNanos) {
        Doubt now = doubt.get();
        if (now == null) {
            return false;
        }
        Long asked = now.askedNanos();
        return asked == null || sentNanos - asked < 0;
    }

    /** {@return whether nothing is in doubt, and the node is not silent: then it is the master as far as can be known} */
    boolean isOver() {
        return doubt.get() == null && clock.getAsLong() - heardNanos <= longestNanos;
    }

    /** {@return whether others have not said since the last silence that this node is the master} */
    boolean isDoubted() {
        return doubt.get() != null;
    }
}
