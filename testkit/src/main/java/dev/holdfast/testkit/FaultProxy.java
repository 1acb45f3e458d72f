package dev.holdfast.testkit;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A network that fails on demand: a proxy in front of a Redis server that forwards RESP, and delays, drops or holds it,
 * or cuts connections, as the test specifies. Faults set here apply to all connections, including later ones; {@link
 * #matching} selects some.
 *
 * <p>One thread serves all connections, so the actions of a proxy are totally ordered. Requests and replies are paired,
 * so that a test can lose the reply to a command that the server has executed. It is therefore a proxy for ordinary
 * clients: RESP2 and RESP3 with subscriptions and transactions, but no replication, {@code MONITOR}, {@code CLIENT
 * REPLY} or TLS.
 *
 * <pre>{@code
 * try (FaultProxy proxy = FaultProxy.inFrontOf(server)) {
 *     connectTo(proxy.uri());
 *     proxy.swallowReplyTo("EVALSHA");
 * }
 * }</pre>
 */
public final class FaultProxy extends Faults implements AutoCloseable {
    /** A listener, and the port that it has. */
    private record Bound(ReservedPort port, Channel listener) {}

    private static final int BIND_ATTEMPTS = 5;
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Endpoint server;
    /** Where new connections lead: the server's port, or its Unix domain socket. */
    private volatile SocketAddress target;

    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("holdfast-fault-proxy", true), NioIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final Traffic traffic = new Traffic();
    /** Written on the event loop, read anywhere. */
    private final List<ProxiedConnection> connections = new CopyOnWriteArrayList<>();
    /** The initial passages of a new connection; used on the event loop only. */
    private final Map<Direction, Passage> passages = new EnumMap<>(Direction.class);
    /** Used on the event loop only. */
    private final Deque<ReplyRule> rules = new ArrayDeque<>();
    /** The channels whose messages are lost on all connections; used on the event loop only. */
    private Predicate<String> lostChannels = channel -> false;

    /** Kept while connections are refused. */
    private final ReservedPort reserved;
    /** Null while connections are refused; guarded by this. */
    private @Nullable Channel listener;

    private FaultProxy(Endpoint server, SocketAddress target) {
        this.server = server;
        this.target = target;
        Bound bound = bindToFreePort();
        this.reserved = bound.port();
        this.listener = bound.listener();
    }

    /** A proxy on a free local port, in front of a server; its URI includes the server's password. */
    public static FaultProxy inFrontOf(RedisServer server) {
        return inFrontOf(server.endpoint());
    }

    /** {@link #inFrontOf(RedisServer)}, but connects to the server's {@link RedisServer#unixSocket()}. */
    public static FaultProxy inFrontOfSocketOf(RedisServer server) {
        return new FaultProxy(server.endpoint(), UnixDomainSocketAddress.of(server.unixSocket()));
    }

    /** A proxy on a free local port, in front of any server that listens at this address, now or later. */
    public static FaultProxy inFrontOf(String host, int port) {
        return inFrontOf(new Endpoint(host, port, null, null, 0));
    }

    private static FaultProxy inFrontOf(Endpoint server) {
        return new FaultProxy(server, address(server));
    }

    private static SocketAddress address(Endpoint server) {
        return InetSocketAddress.createUnresolved(server.host(), server.port());
    }

    /** Leads new connections to another server, as a DNS name does that has moved; existing connections stay as they are. */
    public void moveTo(RedisServer other) {
        target = address(other.endpoint());
    }

    /** {@return the address for clients to use instead of the server's} */
    public String uri() {
        return server.through(port()).uri();
    }

    /** {@return the local port of this proxy, the same for as long as it lives} */
    public int port() {
        return reserved.port();
    }

    /** Refuses new connections, like a host without a listener; existing connections stay open. */
    public synchronized void refuse() {
        if (listener != null) {
            listener.close().syncUninterruptibly();
            listener = null;
            awaitUnbound();
        }
    }

    /** A closed channel releases its port only when its selector has noticed. */
    private void awaitUnbound() {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!FreePorts.isFree(port())) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("port " + port() + " is still in use after " + TIMEOUT);
            }
            Thread.onSpinWait();
        }
    }

    /** Accepts new connections again. */
    public synchronized void accept() {
        if (listener == null) {
            listener = bind(port()).syncUninterruptibly().channel();
        }
    }

    /** Removes every fault, including refusal. */
    @Override
    public void heal() {
        super.heal();
        accept();
    }

    /** {@return the connections whose client is still connected, in the order of arrival} */
    public List<ProxiedConnection> connections() {
        return connections.stream().filter(ProxiedConnection::isOpen).toList();
    }

    /** {@return the connections that match now, as one; later ones are not included} */
    public Faults matching(Predicate<ProxiedConnection> predicate) {
        return new MatchingConnections(connections().stream().filter(predicate).toList());
    }

    /**
     * {@return how many commands of this name clients have sent, forwarded or not, since the start or the last {@link
     * #resetCounters()}; the case does not matter}
     */
    public long commands(String name) {
        return traffic.commands(name);
    }

    /** {@return how many bytes have arrived in this direction, forwarded or not, since the start or the last reset} */
    public long bytes(Direction direction) {
        return traffic.bytes(direction);
    }

    /**
     * {@return how many replies were lost on request, since the start or the last reset: each to an executed command}
     */
    public long lostReplies() {
        return traffic.lostReplies();
    }

    /** Resets all counters of this proxy; those of its connections continue. */
    public void resetCounters() {
        traffic.reset();
    }

    /** Resets all connections and leaves neither a port nor a thread behind. */
    @Override
    public void close() {
        refuse();
        cut(Ending.RST);
        reserved.close();
        group.shutdownGracefully(0, TIMEOUT.toSeconds(), TimeUnit.SECONDS).syncUninterruptibly();
    }

    @Override
    void change(Direction direction, UnaryOperator<Passage> change) {
        run(() -> {
            passages.put(direction, change.apply(passage(direction)));
            connections.forEach(connection -> connection.change(direction, change));
        });
    }

    @Override
    void cut(Ending ending) {
        run(() -> connections.forEach(connection -> connection.cut(ending)));
    }

    @Override
    void add(ReplyRule rule) {
        run(() -> rules.add(rule));
    }

    @Override
    void loseMessagesOf(Predicate<String> channels) {
        run(() -> lostChannels = channels);
    }

    @Override
    void forgetRules() {
        run(() -> {
            rules.clear();
            lostChannels = channel -> false;
            connections.forEach(ProxiedConnection::forgetRules);
        });
    }

    /** Runs a task on the event loop and waits for it, so that a fault is in effect when the test continues. */
    void run(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
        } else {
            loop.submit(task).syncUninterruptibly();
        }
    }

    Traffic traffic() {
        return traffic;
    }

    /** The rules for the next matching request of any connection. */
    Collection<ReplyRule> rules() {
        rules.removeIf(ReplyRule::isSpent);
        return rules;
    }

    /** {@return whether the messages of this channel are lost on all connections} */
    boolean losesMessagesOf(String channel) {
        return lostChannels.test(channel);
    }

    private Passage passage(Direction direction) {
        return passages.getOrDefault(direction, Passage.CLEAR);
    }

    private Bound bindToFreePort() {
        for (int attempt = 1; ; attempt++) {
            ReservedPort candidate = FreePorts.reserve();
            ChannelFuture bound = bind(candidate.port()).awaitUninterruptibly();
            if (bound.isSuccess()) {
                return new Bound(candidate, bound.channel());
            }
            candidate.close();
            if (attempt == BIND_ATTEMPTS) {
                group.shutdownGracefully(0, 0, TimeUnit.SECONDS).syncUninterruptibly();
                throw new IllegalStateException("no free port for a proxy", bound.cause());
            }
        }
    }

    private ChannelFuture bind(int localPort) {
        return new ServerBootstrap()
                .group(loop)
                .channel(NioServerSocketChannel.class)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel client) {
                        accepted(client);
                    }
                })
                .bind("127.0.0.1", localPort);
    }

    /**
     * The end towards the server gets its handler only after the creation of the connection that the handler reports
     * to.
     */
    private void accepted(Channel client) {
        connections.removeIf(ProxiedConnection::isOver);
        ChannelFuture upstream = connect();
        ProxiedConnection connection =
                new ProxiedConnection(this, client, upstream, passage(Direction.REQUESTS), passage(Direction.REPLIES));
        client.pipeline().addLast(new ProxyEnd(connection, Direction.REQUESTS));
        upstream.channel().pipeline().addLast(new ProxyEnd(connection, Direction.REPLIES));
        upstream.addListener(done -> connection.serverAnswered());
        connections.add(connection);
    }

    private ChannelFuture connect() {
        SocketAddress to = target;
        Bootstrap bootstrap = new Bootstrap().group(loop).handler(new ChannelInboundHandlerAdapter());
        if (to instanceof InetSocketAddress) {
            bootstrap.channel(NioSocketChannel.class).option(ChannelOption.ALLOW_HALF_CLOSURE, true);
        } else {
            bootstrap.channel(NioDomainSocketChannel.class);
        }
        return bootstrap.connect(to);
    }
}
