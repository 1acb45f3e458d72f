package dev.holdfast.testkit;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The faults between a client and a server, on one connection, on some, or on all of a proxy. Every method takes effect
 * before it returns, and may be called from any thread except the client's I/O threads, since it waits for the proxy.
 *
 * <p>Faults apply to whole RESP frames: a frame that is delayed, held or lost is so from its first byte to its last.
 */
public abstract sealed class Faults permits FaultProxy, ProxiedConnection, MatchingConnections {
    Faults() {}

    abstract void change(Direction direction, UnaryOperator<Passage> change);

    abstract void cut(Ending ending);

    abstract void add(ReplyRule rule);

    abstract void forgetRules();

    abstract void loseMessagesOf(Predicate<String> channels);

    /** Delays everything sent from now on by this much, in each direction. */
    public final void delay(Duration eachWay) {
        delay(Direction.REQUESTS, eachWay);
        delay(Direction.REPLIES, eachWay);
    }

    /** Delays everything sent in this direction from now on by this much; zero ends the delay. */
    public final void delay(Direction direction, Duration delay) {
        change(direction, passage -> passage.with(delay));
    }

    /**
     * Simulates the distance of the server: everything sent from now on arrives this much later, in each direction.
     * That is not a fault, so {@link #heal()} keeps it, and a delay is added to it.
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
     * Nothing arrives, and the sender is not notified. As in TCP, {@link #heal()} delivers what was sent until then, in
     * order; only data in flight on a connection whose sender was reset is lost.
     *
     * <p>New connections are still accepted, since the kernel does that; they are as silent as the old ones.
     */
    public final void blackHole(Direction direction) {
        change(direction, passage -> passage.with(Passage.Gate.BLACK_HOLE));
    }

    /**
     * Everything sent in this direction is lost for good. No network does this to a connection that stays open, so a
     * test that heals it sees replies paired with the wrong requests, and usually means to cut it.
     */
    public final void drop(Direction direction) {
        change(direction, passage -> passage.with(Passage.Gate.DROP));
    }

    /**
     * Holds requests until {@link #releaseRequests()} and then delivers them whatever the state of the client, even
     * after its death or a cut: the late bytes of a dead connection.
     */
    public final void holdRequests() {
        change(Direction.REQUESTS, passage -> passage.with(Passage.Gate.HOLD));
    }

    /** Delivers the held requests, in order, and holds no more. */
    public final void releaseRequests() {
        change(Direction.REQUESTS, passage -> passage.with(Passage.Gate.OPEN));
    }

    /**
     * Removes every fault of these connections: delivers what is held, stops delays and losses, and discards the rules
     * for replies and messages to lose.
     */
    public void heal() {
        forgetRules();
        for (Direction direction : Direction.values()) {
            heal(direction);
        }
    }

    /** Removes the faults of this direction: delivers what is held there, and stops delays and losses. */
    public final void heal(Direction direction) {
        change(direction, Passage::healed);
    }

    /** Ends the current connections with a FIN to either side. */
    public final void cutFin() {
        cut(Ending.FIN);
    }

    /** Ends the current connections with a RST to either side. */
    public final void cutRst() {
        cut(Ending.RST);
    }

    /**
     * Loses all messages of subscriptions to these channels from now on, until {@link #heal()}: each subscriber of them
     * is counted by the server and receives nothing. Replies, confirmations and the messages of other channels arrive.
     * Replaces the channels named before.
     */
    public final void loseMessages(Predicate<String> channels) {
        loseMessagesOf(channels);
    }

    /**
     * Loses the next reply from the server, after the server has executed the command. Messages of subscriptions are
     * not replies; the confirmation of a subscription is one.
     */
    public final void swallowNextReply() {
        add(new ReplyRule(ReplyRule.Fate.SWALLOW, null));
    }

    /**
     * Loses the reply to the next request that contains {@code needle}, after the server has executed it. For a
     * subscription, all confirmations are lost.
     *
     * @param needle the text that the request's bytes must contain, case-sensitively: a command's name as it is sent,
     *     or a key
     */
    public final void swallowReplyTo(String needle) {
        add(new ReplyRule(ReplyRule.Fate.SWALLOW, needle));
    }

    /**
     * Resets the connection instead of delivering the reply to the next request that contains {@code needle}, after the
     * server has executed it: the situation of a client that cannot know whether its command was executed.
     */
    public final void cutInsteadOfReplyTo(String needle) {
        add(new ReplyRule(ReplyRule.Fate.CUT, needle));
    }
}
