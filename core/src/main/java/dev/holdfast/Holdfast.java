package dev.holdfast;

import java.time.Duration;

/**
 * A client of one Redis: makes locks, keeps the leases of those that are held, and hears of those that are released. One
 * per process and Redis is enough: it costs two connections and a timer thread, however many locks and threads there are.
 *
 * <p>Its id is new with every client, so that no two of them can be taken for one another.
 *
 * <pre>{@code
 * try (Holdfast holdfast = Holdfast.connect("redis://localhost:6379")) {
 *     DistributedLock lock = holdfast.getLock("orders:42");
 *     lock.lock();
 *     try {
 *         ship(order);
 *     } finally {
 *         lock.unlock();
 *     }
 * }
 * }</pre>
 *
 * <p>When the connection is lost, it is made again for as long as it takes; every hold is verified then. Meanwhile calls
 * wait for it, at most for the command timeout, and fail with a {@link LockException} after that. All methods are safe for
 * use by many threads, virtual ones included.
 */
public final class Holdfast implements AutoCloseable {
    private final Engine engine;
    private final Inspector looking;
    private final Closing closing;
    private final LockKind plain;
    private final LockKind fenced;
    private final String keyPrefix;

    Holdfast(Engine engine, Connections connections, LockKind plain, LockKind fenced, String keyPrefix) {
        this.engine = engine;
        this.looking = new Inspector(engine);
        this.closing = new Closing(engine, connections);
        this.plain = plain;
        this.fenced = fenced;
        this.keyPrefix = keyPrefix;
    }

    /**
     * {@return a client of this Redis with default settings, connected}
     *
     * @param redisUri such as {@code redis://localhost:6379}; see {@link HoldfastBuilder#redisUri(String)}
     * @throws IllegalArgumentException if the URI is malformed, or names a Sentinel
     * @throws LockException if Redis cannot be reached, refuses the credentials, or is a cluster
     */
    public static Holdfast connect(String redisUri) {
        return builder().redisUri(redisUri).build();
    }

    /** {@return a builder with default settings} */
    public static HoldfastBuilder builder() {
        return new HoldfastBuilder();
    }

    /**
     * {@return the lock of this name} Cheap: nothing is looked up or kept, and two calls for one name give the same lock.
     *
     * @param name any text that is not blank. Redis keeps the lock under this key, so nothing else should use it
     * @throws IllegalArgumentException if the name is blank, or not valid Unicode
     */
    public DistributedLock getLock(String name) {
        return new ClientLock(engine, looking, new LockKey(plain, Arguments.name(name), keyPrefix));
    }

    /**
     * {@return the lock of this name, with a fencing token for each hold} Cheap, as {@link #getLock} is.
     *
     * @param name any text that is not blank. Redis keeps the lock under this key, and its last token under
     *     {@code redisson_lock_token:{name}}, so nothing else should use them
     * @throws IllegalArgumentException if the name is blank, or not valid Unicode
     */
    public FencedLock getFencedLock(String name) {
        return new ClientFencedLock(engine, looking, new LockKey(fenced, Arguments.name(name), keyPrefix));
    }

    /** {@return an id for {@link DistributedLock#ownedBy}: negative, and no thread, handle or other owner of this client has it} */
    public long newOwnerId() {
        return engine.owners().newOwnerId();
    }

    /** {@return the id that all owners of this client share: a random UUID} */
    public String clientId() {
        return engine.owners().clientId();
    }

    /** {@return whether both connections to Redis are up, as far as is known} */
    public boolean isConnected() {
        return engine.isConnected();
    }

    /** {@return what this client is doing and has done} */
    public HoldfastStats stats() {
        return engine.stats();
    }

    /**
     * {@link #close(Duration)} without a grace period.
     *
     * @throws IllegalStateException if called on the driver's I/O thread, which it would wait for
     */
    @Override
    public void close() {
        close(Duration.ZERO);
    }

    /**
     * Stops granting, and fails all who wait with a {@link LockException}; who waits for a connection hears of it at the end
     * of the close. Waits for holders to give their locks back, at most for the grace period: until that is over they may enter
     * again what they hold, and extend it. Then ends renewal and closes the connections. What is still held then is lost with
     * {@link LossReason#CLOSED} for its holder, and runs out in Redis by itself: to release it under a critical section that
     * is still running would let another in.
     *
     * <p>It ends in time whatever state Redis, the {@linkplain HoldfastBuilder#clientResources shared resources} and the calling
     * thread are in: after the grace period, a command timeout for what is under way, and five seconds for the driver, at the latest. In the
     * ordinary case it takes what a round trip to Redis takes and the driver's threads to end. What the driver could not close by then ends by
     * itself later or not at all, as threads do that hang. An interrupt is kept for later, and shortens nothing.
     *
     * <p>Called again, also by another thread at the same time, it does nothing but wait for the end of the first close. Of two
     * grace periods the one that is over first counts: {@code close()} cuts that of an earlier call short.
     *
     * @param grace how long to wait for holders; zero does not wait. Longer than a century is a century
     * @throws IllegalArgumentException if the grace period is negative
     * @throws IllegalStateException if called on the driver's I/O thread, which it would wait for
     */
    public void close(Duration grace) {
        Duration longest = Arguments.waitAtMost("grace", grace);
        engine.refuseOnIoThread();
        closing.close(longest);
    }

    @Override
    public String toString() {
        return "Holdfast[" + engine.owners().clientId() + "]";
    }

    /** How much of the client's inner state is in use; all zero when nothing is held, wanted or under way. For tests. */
    String residue() {
        return engine.residue();
    }
}
