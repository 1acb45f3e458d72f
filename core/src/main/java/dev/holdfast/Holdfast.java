package dev.holdfast;

import dev.holdfast.internal.view.ClientMultiLock;
import dev.holdfast.internal.view.ConnectedClient;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A client of one Redis: creates locks, renews the leases of held locks, and subscribes to the releases of those it
 * waits for. One client per process and Redis is enough: it costs a timer thread and two connections to each server whose
 * locks it uses, and is for any number of locks and threads.
 *
 * <p>Every client has a new id, so that no two clients can be mistaken for each other.
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
 * <p>When the connection is lost, the client tries to reconnect until it succeeds, and then verifies every hold. Until
 * then calls wait for the connection: for their wait, or for the {@linkplain HoldfastBuilder#failoverTimeout failover timeout};
 * those without a wait for a command timeout, or not at all. After that they fail with a {@link LockException}. All methods
 * are safe for use by many threads, including virtual threads.
 */
public final class Holdfast implements AutoCloseable {
    private final ConnectedClient client;

    Holdfast(ConnectedClient client) {
        this.client = client;
    }

    /**
     * {@return a connected client of this Redis with default settings}
     *
     * @param redisUri such as {@code redis://localhost:6379}; see {@link HoldfastBuilder#redisUri(String)}
     * @throws IllegalArgumentException if the URI is malformed, or names sentinels and no master
     * @throws LockException if Redis cannot be reached, or refuses the credentials
     */
    public static Holdfast connect(String redisUri) {
        return builder().redisUri(redisUri).build();
    }

    /** {@return a builder with default settings} */
    public static HoldfastBuilder builder() {
        return new HoldfastBuilder();
    }

    /**
     * {@return the lock of this name} Cheap: nothing is looked up or stored, and two calls with the same name return
     * the same lock.
     *
     * @param name any text that is not blank. Redis stores the lock under this key, so nothing else should use it
     * @throws IllegalArgumentException if the name is blank, or not valid Unicode
     */
    public DistributedLock getLock(String name) {
        return client.lock(name);
    }

    /**
     * {@return the fair lock of this name: first come, first served, over the owners of all clients} Cheap, as {@link #getLock}
     * is. It is the plain lock in every other respect: they exclude each other, and an owner uses one of them at a time.
     *
     * <p><b>Order.</b> An owner that finds the lock held gets a place in a line in Redis, and each release grants the lock to
     * the owner whose place is first. This needs that all owners use the fair lock: those of one client that wait for the plain
     * or the fenced lock of this name have one place together, as they have among themselves; if one of that client waits for the
     * fair lock at the same time, all have places of their own. Redisson's clients, and Redis clusters before 7.0, have no places
     * at all: as for a plain lock, Redisson's clients get the lock in turns.
     *
     * <p>The order is that in which Redis gives the places. A client asks for those of its owners one after the other, in
     * the order of their calls; if it has not waited for this lock in the last tenth of a second, it first subscribes to the
     * lock's channels, which takes a round trip or two, and calls that begin before the first of them was answered may be served
     * in another order. A call without a wait gets no place: it acquires a lock that is free, which a fair lock with waiters
     * never is.
     *
     * <p><b>Faults.</b> An owner of a client that is closed or disconnected is skipped without delay. If a client is
     * frozen when the lock is granted to one of its owners, the lock stands still for up to a command timeout, and the line
     * ends: the owners of the other clients form a new one, in no particular order between the clients. The line also
     * ends if the lock's lease ends or if it is {@linkplain DistributedLock#forceUnlock forced open}, and if Redis loses its data.
     *
     * <p><b>Price.</b> Each acquisition of a contended fair lock takes two commands and a message from Redis. A plain lock
     * is handed on within a client at the speed of a thread switch, and shared among clients in turns.
     *
     * <p><b>Preview:</b> in 0.2 what is special about it may change without having been deprecated.
     *
     * @param name any text that is not blank. Redis stores the lock under this key, so nothing else should use it
     * @throws IllegalArgumentException if the name is blank, or not valid Unicode
     */
    public DistributedLock getFairLock(String name) {
        return client.fairLock(name);
    }

    /**
     * {@return the lock of this name, with a fencing token for each hold} Cheap, as {@link #getLock} is.
     *
     * @param name any text that is not blank. Redis stores the lock under this key, and its last token under
     *     {@code redisson_lock_token:{name}}, so nothing else should use them. The token is kept for ever, since a later one
     *     must be larger: with names that are made from ids, each object that was ever locked leaves a small key
     * @throws IllegalArgumentException if the name is blank, or not valid Unicode
     */
    public FencedLock getFencedLock(String name) {
        return client.fencedLock(name);
    }

    /**
     * {@return the lock of this name that many readers hold at the same time, or one writer} Cheap, as {@link #getLock} is. A name
     * is one of a read-write lock or of another lock, never of both: that fails with {@link WrongKindException}.
     *
     * @param name any text that is not blank. Redis stores the lock under this key, so nothing else should use it
     * @throws IllegalArgumentException if the name is blank, or not valid Unicode
     */
    public DistributedReadWriteLock getReadWriteLock(String name) {
        return client.readWriteLock(name);
    }

    /**
     * {@return the lock over something that is divided into segments, of which a caller gets any that is free} Cheap, as
     * {@link #getLock} is.
     *
     * @param name any text that is not blank. Segment {@code i} is the lock {@code name:i}
     * @param segments how many segments there are, from 1 to 1,024; all clients should use the same number
     * @throws IllegalArgumentException if the name is blank, or not valid Unicode, or the number is out of range
     */
    public SegmentedLock getSegmentedLock(String name, int segments) {
        return client.segmentedLock(name, segments);
    }

    /**
     * {@return the semaphore of this name, with so many permits} Cheap, as {@link #getLock} is. The number is a part of each
     * request, and stored nowhere as a setting: {@link DistributedSemaphore} says what it means if clients name different ones.
     *
     * @param name any text that is not blank. Redis stores the semaphore under the key {@code holdfast_semaphore:{name}}, so a lock
     *     of the same name is another thing, and so is a semaphore of Redisson. If the name begins and ends with a brace, it is the
     *     same semaphore as without these two
     * @param permits how many there are, from 1 to a million
     * @throws IllegalArgumentException if the name is blank, or not valid Unicode, or the number is out of range
     */
    public DistributedSemaphore getSemaphore(String name, int permits) {
        return client.semaphore(name, permits);
    }

    /**
     * {@return the count-down latch of this name} Cheap, as {@link #getLock} is. Redisson's {@code RCountDownLatch} of this name
     * is the same latch.
     *
     * @param name any text that is not blank; in a cluster without a hash tag in braces. Redis stores the count under this
     *     key, so nothing else should use it, a lock of the same name included
     * @throws IllegalArgumentException if the name is blank, or not valid Unicode, or has a hash tag in a cluster
     */
    public DistributedCountDownLatch getCountDownLatch(String name) {
        return client.countDownLatch(name);
    }

    /**
     * {@return the lock that is held if and only if all of these are held} The locks may be plain, fenced or fair ones, or sides of
     * read-write locks, of this client or of others, and so on one Redis server or on several. Cheap: nothing is looked up or stored.
     *
     * <p>Free locks of one kind are acquired by one command, in a cluster by one for each slot. They are released by a command
     * each, all of which are sent at once: each lock has waiters of its own. So the release of many takes longer than
     * their acquisition: 5,000 locks of one server about 0.2 s, and 1 s in a JVM that has just started.
     *
     * @param locks at least one; each from {@link #getLock}, {@link #getFencedLock}, {@link #getFairLock}, {@link
     *     SegmentedLock#segment} or {@link #getReadWriteLock}
     * @throws IllegalArgumentException if there is no lock, one of them twice, both sides of one, or one that is not Holdfast's
     */
    public static MultiLock multiLock(DistributedLock... locks) {
        return ClientMultiLock.of(locks);
    }

    /**
     * {@return an id for {@link DistributedLock#ownedBy}: negative, and different from that of every thread, handle and
     * other owner of this client}
     */
    public long newOwnerId() {
        return client.newOwnerId();
    }

    /** {@return the id of this client, which the names of all its owners start with: a random UUID} */
    public String clientId() {
        return client.clientId();
    }

    /** {@return the {@linkplain HoldfastBuilder#label label} of this client, if it has one} */
    public Optional<String> label() {
        return client.label();
    }

    /** {@return whether all connections to the servers that this client uses are up, as far as it knows} */
    public boolean isConnected() {
        return client.isConnected();
    }

    /**
     * {@return why servers that this client uses cannot be used at present, and since when: for health checks} Empty while
     * {@link #isConnected()}, unless a name leads the connections to two servers, and with {@link
     * HoldfastBuilder#connectInBackground} until the first attempt has failed. In a cluster one for each master in use.
     * Unmodifiable.
     */
    public List<ConnectionProblem> connectionProblems() {
        return client.connectionProblems();
    }

    /** {@return the current state of this client and its counters since it was built} */
    public HoldfastStats stats() {
        return client.stats();
    }

    /**
     * {@link #close(Duration)} without a grace period.
     *
     * @throws IllegalStateException if called on the driver's I/O thread, for which the close would have to wait
     */
    @Override
    public void close() {
        close(Duration.ZERO);
    }

    /**
     * Stops granting locks, and fails all waiters with a {@link LockException}; calls that wait for a connection fail
     * at the end of the close. Waits for owners to release their locks, and for the replies to changes of latches, at most
     * for the grace period; until it is over, an owner may re-enter and extend what it holds, and latches may be changed.
     * Then the client stops renewing and closes the connections. A lock that is still held then is lost for its owner with
     * {@link LossReason#CLOSED}, and its key expires in Redis: releasing it while its critical section is still running would
     * admit another owner.
     *
     * <p>The time it takes is bounded, whatever state Redis, the
     * {@linkplain HoldfastBuilder#clientResources shared resources} and the calling thread are in: at most the grace
     * period, a command timeout for commands in flight, and five seconds for the driver. Normally it takes a round trip
     * to Redis and the time that the driver's threads need to end. Whatever the driver could not close in that time ends
     * later by itself; a thread that hangs may never end. An interrupt does not shorten the close; the flag is set
     * again when it returns.
     *
     * <p>A further call, even a concurrent one from another thread, only waits for the end of the first close. Of two
     * grace periods the one that ends first counts: {@code close()} cuts the grace period of an earlier call short.
     *
     * @param grace how long to wait for owners and latches; zero does not wait. More than a century is treated as a century
     * @throws IllegalArgumentException if the grace period is negative
     * @throws IllegalStateException if called on the driver's I/O thread, for which the close would have to wait
     */
    public void close(Duration grace) {
        client.close(grace);
    }

    @Override
    public String toString() {
        return "Holdfast[" + client.clientId() + "]";
    }

    /**
     * How much of the client's internal state is in use; all zero when nothing is held, requested or in flight. For
     * tests.
     */
    String residue() {
        return client.residue();
    }
}
