package dev.holdfast.testkit.junit;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.DistributedSemaphore;
import dev.holdfast.FencedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Lease;
import dev.holdfast.Permits;
import dev.holdfast.WrongKindException;
import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A Redis for one test: a server of its own, a client that reaches it by a network which can fail, and another owner that
 * competes for its locks. The other owner has a client and a network of its own, like another instance of the
 * application.
 *
 * <p>The application under test uses {@link #client()}, or connects itself to {@link #uri()}; then it should have the
 * {@link #clock()}, or its leases take their real time.
 *
 * <p>Safe for use by several threads, except for {@link #pause()} and {@link #resume()}.
 */
public final class TestRedis implements AutoCloseable {
    /** How long a waiter may keep the lock that the other owner takes over. */
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final RedisServer server;
    private final FaultProxy network;
    private final Holdfast other;
    private final String keyPrefix;
    private final Duration watchdogTimeout;
    private final UnaryOperator<HoldfastBuilder> settings;
    private final TestClock clock = new TestClock();
    private final RenewalRounds renewals;
    private final AtomicBoolean isClosed = new AtomicBoolean();
    /** All but the other owner's. Guarded by itself. */
    private final List<Holdfast> clients = new ArrayList<>();

    private final Holdfast client;

    private TestRedis(
            RedisServer server,
            FaultProxy network,
            Holdfast other,
            String keyPrefix,
            Duration watchdogTimeout,
            UnaryOperator<HoldfastBuilder> settings) {
        this.server = server;
        this.network = network;
        this.other = other;
        this.keyPrefix = keyPrefix;
        this.watchdogTimeout = watchdogTimeout;
        this.settings = settings;
        this.renewals = new RenewalRounds(clock, watchdogTimeout);
        this.client = connect();
    }

    /** {@return a Redis with the default settings; the caller closes it} A test class has {@link HoldfastExtension}. */
    public static TestRedis start() {
        return builder().start();
    }

    /** {@return a builder for a Redis whose clients have other settings} */
    public static TestRedisBuilder builder() {
        return new TestRedisBuilder();
    }

    static TestRedis start(String keyPrefix, Duration watchdogTimeout, UnaryOperator<HoldfastBuilder> settings) {
        return orClosed(
                RedisServer.builder().start(),
                server -> orClosed(
                        FaultProxy.inFrontOf(server),
                        network -> orClosed(
                                otherOwner(server, keyPrefix),
                                other -> new TestRedis(server, network, other, keyPrefix, watchdogTimeout, settings))));
    }

    /** {@return what is made with the resource} If that fails, the resource is closed. */
    private static <R extends AutoCloseable, T> T orClosed(R resource, Function<R, T> maker) {
        try {
            return maker.apply(resource);
        } catch (Throwable failure) {
            try {
                resource.close();
            } catch (Exception e) {
                failure.addSuppressed(e);
            }
            throw failure;
        }
    }

    private static Holdfast otherOwner(RedisServer server, String keyPrefix) {
        return Holdfast.builder()
                .redisUri(server.uri())
                .keyPrefix(keyPrefix)
                .label("the other owner")
                .build();
    }

    /** {@return the address for clients whose network can fail} */
    public String uri() {
        return network.uri();
    }

    /** {@return the client that the test or the application under test uses; closed with this object} */
    public Holdfast client() {
        return client;
    }

    /** {@return a further client with the same settings, clock and network; closed with this object} */
    public Holdfast connect() {
        HoldfastBuilder builder = settings.apply(Holdfast.builder().redisUri(uri()))
                .keyPrefix(keyPrefix)
                .watchdogTimeout(watchdogTimeout);
        Holdfast connected = clock.applyTo(builder).build();
        synchronized (clients) {
            clients.add(connected);
        }
        return connected;
    }

    /** {@return the clock of the clients; the other owner and the server have the system's} */
    public TestClock clock() {
        return clock;
    }

    /** {@return the server, to query it, and to kill and restart it} */
    public RedisServer server() {
        return server;
    }

    /** {@return the network between the clients and the server, for faults other than {@link #partition()}} */
    public FaultProxy network() {
        return network;
    }

    /** {@link #loseLease(String)} for this lock. */
    public void loseLease(DistributedLock lock) {
        loseLease(lock.name());
    }

    /** {@link #loseLease(String)} for the lock of this lease; permits of a semaphore are lost alone, and others of it are kept. */
    public void loseLease(Lease lease) {
        if (lease instanceof Permits permits) {
            requireHeld("semaphore", permits.name(), isForcedOpen(permits));
            renewals.play();
        } else {
            loseLease(lease.name());
        }
    }

    private boolean isForcedOpen(Permits permits) {
        DistributedSemaphore semaphore = other.getSemaphore(permits.name(), 1);
        return permits.isValid()
                && semaphore.inspect().holders().stream()
                        .filter(holder -> holder.number() == permits.number())
                        .anyMatch(holder -> semaphore.forceRelease(holder.owner()));
    }

    /**
     * Deletes the lock in Redis while it is held, and makes the clients on the {@linkplain #clock() clock} renew: when this
     * returns, its holder knows that it was lost, also one of a client that the application connected. The reason is {@link
     * dev.holdfast.LossReason#GONE}. A hold with an explicit lease is not renewed: its release or its
     * extension throws.
     *
     * <p>The clock is advanced by a third of the watchdog timeout. Replies to renewals that do not come, since the network
     * or the server fails, or a lease is explicit, are awaited for three seconds.
     *
     * @throws IllegalStateException if no owner holds the lock
     */
    public void loseLease(String lockName) {
        DistributedLock lock = other.getLock(lockName);
        requireHeld("lock", lockName, isForcedOpen(lock));
        renewals.play();
    }

    /**
     * {@link #busy(String)} for this lock; if it is fenced, the returned lease has a token.
     *
     * @throws IllegalStateException also if the lock is not busy thereafter, because the key prefix of its client is not
     *     that of the {@linkplain TestRedisBuilder#keyPrefix builder}
     * @throws dev.holdfast.LockException if its client cannot be asked, as in a {@link #partition()}: {@link #busy(String)}
     *     does not ask it
     */
    public Lease busy(DistributedLock lock) {
        return orClosed(acquire(ofOther(lock)), held -> {
            requireBusy("lock", lock.name(), lock.isLocked());
            return held;
        });
    }

    private void requireBusy(String noun, String name, boolean isBusy) {
        if (!isBusy) {
            throw new IllegalStateException("the client of the " + noun + " '" + name + "' must have the key prefix '"
                    + keyPrefix + "', as set in the builder: its " + noun + " is not busy");
        }
    }

    /**
     * Lets the other owner acquire the lock, which must be free. It keeps it until the returned lease is closed, or this
     * object is.
     *
     * @return the lease of the other owner
     * @throws IllegalStateException if the lock is held
     */
    public Lease busy(String lockName) {
        return acquire(other.getLock(lockName));
    }

    private static Lease acquire(DistributedLock lock) {
        return lock.tryAcquireAsync(Duration.ZERO)
                .join()
                .orElseThrow(() -> new IllegalStateException(
                        "the lock '" + lock.name() + "' must be free, but is held: " + lock.inspect()));
    }

    /** {@return the other owner's lock of this name; its leases have tokens if those of the given one have} */
    private DistributedLock ofOther(DistributedLock lock) {
        return lock instanceof FencedLock ? other.getFencedLock(lock.name()) : other.getLock(lock.name());
    }

    /**
     * Lets the other owner read, so that no writer has the lock. It does until the returned lease is closed, or this object is.
     *
     * @return the lease of the other owner
     * @throws IllegalStateException if an owner writes, or a writer waits
     */
    public Lease busyReading(DistributedReadWriteLock lock) {
        return acquire(other.getReadWriteLock(lock.name()).readLock());
    }

    /**
     * Lets the other owner write, so that neither a reader nor a writer has the lock; as {@link #busyReading}.
     *
     * @return the lease of the other owner
     * @throws IllegalStateException if another owner reads or writes
     */
    public Lease busyWriting(DistributedReadWriteLock lock) {
        return acquire(other.getReadWriteLock(lock.name()).writeLock());
    }

    /**
     * Lets the other owner acquire all permits of the semaphore, which must be free. It keeps them until they are closed, or this
     * object is.
     *
     * @return the permits of the other owner
     * @throws IllegalStateException if permits are held, or the key prefix is another one, as for {@link #busy(DistributedLock)}
     * @throws dev.holdfast.LockException if the client of the semaphore cannot be asked
     */
    public Permits busy(DistributedSemaphore semaphore) {
        return orClosed(allOf(other.getSemaphore(semaphore.name(), semaphore.permits())), held -> {
            requireBusy("semaphore", semaphore.name(), semaphore.availablePermits() == 0);
            return held;
        });
    }

    private static Permits allOf(DistributedSemaphore semaphore) {
        return semaphore
                .tryAcquireAsync(semaphore.permits(), Duration.ZERO)
                .join()
                .orElseThrow(() -> new IllegalStateException("all permits of the semaphore '" + semaphore.name()
                        + "' must be free: " + semaphore.inspect()));
    }

    /** {@link #loseLease(String)} for the writer, or for all that read. */
    public void loseLease(DistributedReadWriteLock lock) {
        loseLease(lock.name());
    }

    /**
     * {@link #takeOver(String)} for the writer, or for all that read: the other owner writes then.
     *
     * @return the lease of the other owner
     */
    public Lease takeOver(DistributedReadWriteLock lock) {
        return takeOverFrom(other.getReadWriteLock(lock.name()).writeLock());
    }

    /** {@link #takeOver(String)} for this lock; if it is fenced, the token of the returned lease is larger. */
    public Lease takeOver(DistributedLock lock) {
        return takeOverFrom(ofOther(lock));
    }

    /**
     * Lets the other owner acquire the lock while it is held, as if the lease of its holder had run out unnoticed, and
     * makes the clients renew, as {@link #loseLease(String)} does. The reason is {@link dev.holdfast.LossReason#TAKEN}.
     * Callers that wait for the lock may get it before the other owner does.
     *
     * @return the lease of the other owner
     * @throws IllegalStateException if no owner holds the lock, or if those that waited for it do not release it
     */
    public Lease takeOver(String lockName) {
        return takeOverFrom(other.getLock(lockName));
    }

    private Lease takeOverFrom(DistributedLock lock) {
        requireHeld("lock", lock.name(), lock.forceUnlock());
        Lease taken = lock.tryAcquireAsync(TIMEOUT)
                .join()
                .orElseThrow(() -> new IllegalStateException("the lock '" + lock.name()
                        + "' was granted to a waiter, which did not release it within " + TIMEOUT));
        renewals.play();
        return taken;
    }

    /** A name alone may be that of a read-write lock. */
    private boolean isForcedOpen(DistributedLock lock) {
        try {
            return lock.forceUnlock();
        } catch (WrongKindException e) {
            return other.getReadWriteLock(lock.name()).forceUnlock();
        }
    }

    private void requireHeld(String noun, String name, boolean wasHeld) {
        if (!wasHeld) {
            throw new IllegalStateException("the " + noun + " '" + name + "' must be held, but is free"
                    + (keyPrefix.isEmpty() ? " (without a key prefix)" : " (with the key prefix '" + keyPrefix + "')"));
        }
    }

    /**
     * Cuts the clients off from the server: connections stay open, and nothing arrives, in either direction. The other
     * owner still reaches it.
     */
    public void partition() {
        network.blackHole();
    }

    /** Ends a {@linkplain #partition() partition}, and every other fault of the network: what was sent during it arrives. */
    public void heal() {
        network.heal();
    }

    /** Closes the connections of the clients, which reconnect. */
    public void cutConnections() {
        network.cutRst();
    }

    /**
     * Stops the server's process: connections stay open, and there are no replies to anyone.
     *
     * @throws UnsupportedOperationException if the platform has no such signal
     */
    public void pause() {
        server.pause();
    }

    /** Resumes the server; it executes what was sent during the pause. */
    public void resume() {
        server.resume();
    }

    /**
     * Ends the faults, closes the clients and ends the server. A client that the application connected to {@link #uri()}
     * should have been closed before. A further call does nothing.
     */
    @Override
    public void close() {
        if (isClosed.getAndSet(true)) {
            return;
        }
        try (server;
                network;
                other) {
            if (server.isPaused()) {
                server.resume();
            }
            network.heal();
            synchronized (clients) {
                clients.forEach(Holdfast::close);
                clients.clear();
            }
        }
    }
}
