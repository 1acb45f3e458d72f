package dev.holdfast.testkit;

import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * What can be made to go wrong on the way between a client and a server, on one connection, on some, or on all of a proxy.
 * Every method takes effect before it returns, and may be called from any thread but the client's I/O threads, since it
 * waits for the proxy.
 *
 * <p>Faults come in whole RESP frames: a frame that is delayed, held or lost is so from its first byte to its last.
 */
public abstract sealed class Faults permits FaultProxy, ProxiedConnection, MatchingConnections {
    Faults() {}

    abstract void change(Direction direction, UnaryOperator<Passage> change);

    abstract void cut(Ending ending);

    abstract void add(ReplyRule rule);

    abstract void forgetRules();

    /** Whatever is sent from now on arrives this much later, in each direction. */
    public final void delay(Duration eachWay) {
        delay(Direction.REQUESTS, eachWay);
        delay(Direction.REPLIES, eachWay);
    }

    /** Whatever is sent in this direction from now on arrives this much later; zero ends the delay. */
    public final void delay(Direction direction, Duration delay) {
        change(direction, passage -> passage.with(delay));
    }

    /**
     * From now on the server is so far away: whatever is sent arrives this much later, in each direction. That is no fault, so
     * {@link #heal()} leaves it as it is, and a delay comes on top.
     */
    public final void distance(Duration eachWay) {
        for (Direction direction : Direction.values()) {
            change(direction, passage -> passage.atDistance(eachWay));
        }
    }

    /** {@link #blackHole(Direction)} in both directions. */
    public final void blackHole() {
        blackHole(Direction.REQUESTS);
        blackHole(Direction.REPLIES);
    }

    /**
     * Nothing arrives, and the sender is not told. As TCP does, {@link #heal()} delivers what was sent meanwhile, in order;
     * only what a connection had under way when its sender was reset is lost.
     *
     * <p>New connections are still accepted, since that is done by the kernel; they are as silent as the old ones.
     */
    public final void blackHole(Direction direction) {
        change(direction, passage -> passage.with(Passage.Gate.BLACK_HOLE));
    }

    /**
     * Whatever is sent in this direction is lost for good. No network does this to a connection that lives on, so a test
     * that heals it sees replies paired with the wrong requests, and usually means to cut it.
     */
    public final void drop(Direction direction) {
        change(direction, passage -> passage.with(Passage.Gate.DROP));
    }

    /**
     * Requests are kept back until {@link #releaseRequests()} and then delivered whatever has become of the client, its
     * death and a cut included: the late bytes of a dead connection.
     */
    public final void holdRequests() {
        change(Direction.REQUESTS, passage -> passage.with(Passage.Gate.HOLD));
    }

    /** Delivers the requests that were held, in order, and holds no more. */
    public final void releaseRequests() {
        change(Direction.REQUESTS, passage -> passage.with(Passage.Gate.OPEN));
    }

    /**
     * Takes back every fault of the connections concerned: delivers what waits, delays and loses nothing more, and forgets
     * which replies were to be lost.
     */
    public void heal() {
        forgetRules();
        for (Direction direction : Direction.values()) {
            heal(direction);
        }
    }

    /** Takes back what was done to this direction: delivers what waits there, and delays and loses nothing more. */
    public final void heal(Direction direction) {
        change(direction, Passage::healed);
    }

    /** Ends the connections there are with a FIN to either side. */
    public final void cutFin() {
        cut(Ending.FIN);
    }

    /** Ends the connections there are with a RST to either side. */
    public final void cutRst() {
        cut(Ending.RST);
    }

    /**
     * The next reply to come from the server is lost, after the server has acted. Messages of subscriptions are no replies;
     * the confirmation of a subscription is one.
     */
    public final void swallowNextReply() {
        add(new ReplyRule(ReplyRule.Fate.SWALLOW, null));
    }

    /**
     * The reply to the next request that contains {@code needle} is lost, after the server has acted. Of a subscription,
     * all confirmations are.
     *
     * @param needle what the request's bytes must contain, case included: a command's name as it is sent, or a key
     */
    public final void swallowReplyTo(String needle) {
        add(new ReplyRule(ReplyRule.Fate.SWALLOW, needle));
    }

    /**
     * The connection is reset instead of delivering the reply to the next request that contains {@code needle}, after the
     * server has acted: what a client sees that cannot know whether its command was executed.
     */
    public final void cutInsteadOfReplyTo(String needle) {
        add(new ReplyRule(ReplyRule.Fate.CUT, needle));
    }
}
