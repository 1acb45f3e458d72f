package dev.holdfast.testkit;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection through a {@link FaultProxy}: two ends, and a lane in either direction. Its faults apply to
 * it alone.
 *
 * <p>An end of stream travels in the lane behind the bytes that were sent before it, and only the ends of both
 * directions close the connection, so that a client that half-closes still receives the replies. A reset travels
 * likewise, and closes both ends.
 *
 * <p>A replica's connection to its master is a stream of commands and bulk data that has no frames and no replies: from
 * the request that starts it, bytes are forwarded as they arrive.
 */
public final class ProxiedConnection extends Faults {
    private static final Set<String> REPLICATION = Set.of("psync", "sync");

    private final FaultProxy proxy;
    private final Channel client;
    private final Traffic traffic = new Traffic();
    private final ReplyMatcher matcher = new ReplyMatcher();
    private final Deque<ReplyRule> rules = new ArrayDeque<>();
    /** The channels whose messages are lost; used on the event loop only. */
    private Predicate<String> lostChannels = channel -> false;

    private final Way requests;
    private final Way replies;
    private final ChannelFuture upstream;
    /** Written on the event loop, read anywhere. */
    private volatile boolean replication;

    /** The state of one direction. */
    private static final class Way {
        private final Lane lane;
        private final RespSplitter splitter = new RespSplitter();
        /**
         * The sender has ended its stream or is disconnected: no more bytes will arrive. Written on the event loop,
         * read anywhere.
         */
        private volatile boolean ended;
        /** The end of the stream has been delivered to the receiver. */
        private boolean endDelivered;

        Way(Lane lane) {
            this.lane = lane;
        }
    }

    /** Created on the event loop, while the connection to the server is still being made. */
    ProxiedConnection(
            FaultProxy proxy, Channel client, ChannelFuture upstream, Passage towardsServer, Passage towardsClient) {
        this.proxy = proxy;
        this.client = client;
        this.upstream = upstream;
        this.requests = new Way(new Lane(client.eventLoop(), towardsServer));
        this.replies = new Way(new Lane(client.eventLoop(), towardsClient));
        replies.lane.connected(client);
    }

    /** {@return how many commands of this name the client has sent, forwarded or not; the case does not matter} */
    public long commands(String name) {
        return traffic.commands(name);
    }

    /** {@return how many bytes have arrived in this direction, forwarded or not} */
    public long bytes(Direction direction) {
        return traffic.bytes(direction);
    }

    /** {@return whether the client is connected: it has neither closed the connection nor lost it} */
    public boolean isOpen() {
        return client.isActive() && !requests.ended;
    }

    /** {@return whether the client is a replica that has requested the replication stream} */
    public boolean isReplication() {
        return replication;
    }

    /** {@return whether both ends are closed} */
    boolean isOver() {
        return !client.isOpen() && upstream.isDone() && !upstream.channel().isOpen();
    }

    @Override
    void change(Direction direction, UnaryOperator<Passage> change) {
        proxy.run(() -> {
            Lane lane = way(direction).lane;
            lane.change(change.apply(lane.passage()));
        });
    }

    @Override
    void add(ReplyRule rule) {
        proxy.run(() -> rules.add(rule));
    }

    @Override
    void loseMessagesOf(Predicate<String> channels) {
        proxy.run(() -> lostChannels = channels);
    }

    @Override
    void forgetRules() {
        proxy.run(() -> {
            rules.clear();
            lostChannels = channel -> false;
        });
    }

    /** Held requests survive the cut: the server's end stays open until they have been delivered. */
    @Override
    void cut(Ending ending) {
        proxy.run(() -> {
            ending.end(client);
            if (requests.lane.passage().gate() == Passage.Gate.HOLD) {
                endOfStream(requests);
            } else {
                requests.lane.clear();
                ending.end(upstream.channel());
            }
        });
    }

    private Way way(Direction direction) {
        return direction == Direction.REQUESTS ? requests : replies;
    }

    // The following methods are called on the event loop.

    /** The attempt to connect to the server has completed; if it failed, the client gets a reset. */
    void serverAnswered() {
        if (upstream.isSuccess()) {
            requests.lane.connected(upstream.channel());
        } else {
            Ending.RST.end(client);
        }
    }

    /** Bytes have arrived: they are counted, split into frames and forwarded, or lost if a rule applies. */
    void received(Direction direction, byte[] bytes) {
        Way way = way(direction);
        traffic.countBytes(direction, bytes.length);
        proxy.traffic().countBytes(direction, bytes.length);
        way.splitter.feed(bytes);
        for (RespFrame frame = nextFrame(way); frame != null; frame = nextFrame(way)) {
            if (direction == Direction.REQUESTS) {
                request(frame);
            } else {
                reply(frame);
            }
        }
        if (replication) {
            way.lane.offer(way.splitter.takeRest());
        }
    }

    private @Nullable RespFrame nextFrame(Way way) {
        return replication ? null : way.splitter.next();
    }

    private void request(RespFrame frame) {
        ReplyRule rule = claim(candidate -> candidate.claimsRequest(frame));
        ReplyMatcher.Request request = matcher.request(frame, rule);
        traffic.countCommand(request.name());
        proxy.traffic().countCommand(request.name());
        requests.lane.offer(frame.bytes());
        replication |= REPLICATION.contains(request.name());
    }

    private void reply(RespFrame frame) {
        ReplyMatcher.Request request = matcher.answeredBy(frame);
        if (request == null && losesMessage(frame)) {
            return;
        }
        ReplyRule rule = request == null ? null : request.rule();
        if (request != null && rule == null) {
            rule = claim(ReplyRule::claimsReply);
        }
        if (rule == null) {
            replies.lane.offer(frame.bytes());
            return;
        }
        if (rule.fate() == ReplyRule.Fate.CUT) {
            cut(Ending.RST);
        }
        traffic.countLostReply();
        proxy.traffic().countLostReply();
    }

    /** Whether the frame, which answers no request, is a message of a channel whose messages are lost. */
    private boolean losesMessage(RespFrame frame) {
        List<String> words = frame.words();
        if (words.size() < 2) {
            return false;
        }
        String channel = words.get(1);
        return lostChannels.test(channel) || proxy.losesMessagesOf(channel);
    }

    /** The first rule that claims it, of this connection's own or else of the proxy's. */
    private @Nullable ReplyRule claim(Predicate<ReplyRule> claims) {
        rules.removeIf(ReplyRule::isSpent);
        return Stream.concat(rules.stream(), proxy.rules().stream())
                .filter(claims)
                .findFirst()
                .orElse(null);
    }

    /** The sender has ended its stream. */
    void finished(Direction direction) {
        endOfStream(way(direction));
    }

    private void endOfStream(Way way) {
        if (way.ended) {
            return;
        }
        way.ended = true;
        way.lane.offer(way.splitter.takeRest());
        way.lane.finish(() -> endDelivered(way));
    }

    private void endDelivered(Way way) {
        way.endDelivered = true;
        if (requests.endDelivered && replies.endDelivered) {
            Ending.FIN.end(client);
            Ending.FIN.end(upstream.channel());
        }
    }

    /**
     * The sender is disconnected. Held requests are delivered all the same, followed by an orderly end so that the
     * server executes them.
     */
    void lost(Direction direction) {
        Way way = way(direction);
        if (way.lane.passage().gate() == Passage.Gate.HOLD) {
            endOfStream(way);
        } else {
            way.ended = true;
            way.lane.reset();
        }
    }
}
