package dev.holdfast.internal.view;

import dev.holdfast.ConnectionProblem;
import dev.holdfast.DistributedCountDownLatch;
import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.DistributedSemaphore;
import dev.holdfast.FencedLock;
import dev.holdfast.HoldfastStats;
import dev.holdfast.LockInfo;
import dev.holdfast.LockType;
import dev.holdfast.SegmentedLock;
import dev.holdfast.internal.client.Client;
import dev.holdfast.internal.client.Closing;
import dev.holdfast.internal.client.Connections;
import dev.holdfast.internal.kind.Kinds;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.latch.LatchKey;
import dev.holdfast.internal.session.Arguments;
import dev.holdfast.internal.session.Settings;
import dev.holdfast.internal.several.SegmentSet;
import dev.holdfast.internal.several.Segments;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A client with its connections, and what its views share: what the public door to the library stands on. */
public final class ConnectedClient {
    private final Client client;
    private final Inspector inspector;
    private final Segments segments;
    private final ThreadHolds threadHolds = new ThreadHolds();
    private final Closing closing;
    private final Kinds kinds;
    private final Settings settings;

    private ConnectedClient(Connections.Opened opened, Settings settings) {
        this.client = opened.client();
        this.inspector = new Inspector(
                client.session(), client.topology(), client.holds().locks());
        this.segments = new Segments(
                client.session(),
                client.acquisitions(),
                client.holds().locks(),
                segment -> client.topology().of(segment).epochNumber() != 0,
                segment -> inspector.readKey(segment).thenApply(LockInfo::isLocked));
        this.closing = opened.closing();
        this.kinds = new Kinds(settings.label());
        this.settings = settings;
    }

    /**
     * {@return a client with these settings} It is connected, unless that is to be done in the background. Leaves nothing
     * open if it fails.
     */
    public static ConnectedClient open(Settings settings) {
        return new ConnectedClient(Connections.open(settings), settings);
    }

    public Client client() {
        return client;
    }

    Inspector inspector() {
        return inspector;
    }

    /** {@return the multi-locks with locks of this client that threads have entered} */
    ThreadHolds threadHolds() {
        return threadHolds;
    }

    public DistributedLock lock(String name) {
        return new ClientLock(this, key(LockType.PLAIN, name));
    }

    public FencedLock fencedLock(String name) {
        return new ClientFencedLock(this, key(LockType.FENCED, name));
    }

    public DistributedLock fairLock(String name) {
        return new ClientLock(this, key(LockType.FAIR, name));
    }

    public DistributedReadWriteLock readWriteLock(String name) {
        return new ClientReadWriteLock(
                this, new ClientLock(this, key(LockType.READ, name)), new ClientLock(this, key(LockType.WRITE, name)));
    }

    private LockKey key(LockType type, String name) {
        return inOneSlot(new LockKey(kinds.of(type), Arguments.name(name), settings.keyPrefix()));
    }

    private LockKey inOneSlot(LockKey key) {
        if (client.topology().hasSlots() && !key.isInOneSlot()) {
            throw new IllegalArgumentException("braces in the name of a " + key.noun()
                    + " must enclose a hash tag in a cluster, was " + key.key()
                    + ": its key and its channel would be in different slots");
        }
        return key;
    }

    public SegmentedLock segmentedLock(String name, int segments) {
        Arguments.name(name);
        return new ClientSegmentedLock(
                this, this.segments, new SegmentSet(name, segments, segment -> key(LockType.PLAIN, segment)));
    }

    public DistributedSemaphore semaphore(String name, int permits) {
        String checked = Arguments.name("semaphore", name);
        LockKey key =
                new LockKey(kinds.of(LockType.SEMAPHORE), checked, settings.keyPrefix(), Arguments.limit(permits));
        return new ClientSemaphore(this, inOneSlot(key));
    }

    public DistributedCountDownLatch countDownLatch(String name) {
        LatchKey key = new LatchKey(Arguments.name("latch", name), settings.keyPrefix());
        if (client.topology().hasSlots() && !key.isInOneSlot()) {
            throw new IllegalArgumentException(
                    "the name of a latch must not have a hash tag in a cluster, was " + key.key()
                            + ": its key and its channel, which Redisson's clients share, would be in different slots");
        }
        return new ClientCountDownLatch(client, key);
    }

    public long newOwnerId() {
        return client.session().owners().newOwnerId();
    }

    public String clientId() {
        return client.session().owners().clientId();
    }

    public Optional<String> label() {
        return Optional.ofNullable(client.session().owners().label());
    }

    public boolean isConnected() {
        return client.topology().isConnected();
    }

    public List<ConnectionProblem> connectionProblems() {
        return client.topology().problems();
    }

    public HoldfastStats stats() {
        return client.stats();
    }

    /** {@return the resources in use, with their counts; empty if all counts are zero} */
    public String residue() {
        return client.residue(
                Map.of("segment queues", segments.size(), "threads with multi-locks", threadHolds.size()));
    }

    /** Closes the client, or waits until it is closed. */
    public void close(Duration grace) {
        Duration longest = Arguments.waitAtMost("grace", grace);
        client.refuseToCloseOnIoThread();
        closing.close(longest);
    }
}
