package dev.holdfast.benchmarks.system;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The systems that are compared. Each opens clients with the defaults of its library. */
public enum LockSystem {
    /** Holdfast with its defaults. */
    HOLDFAST("Holdfast", "#1f6feb"),
    /** Holdfast whose releases are not awaited. */
    UNAWAITED("Holdfast, releases not awaited", "#6cb6ff"),
    /** Holdfast whose calls return a grant only when one replica has it. */
    REPLICATED("Holdfast, replicated", "#8250df"),
    /** Two clients of Holdfast: the locks with certain names are those of one whose locks are replicated. */
    SELECTED("Holdfast, some replicated", "#bf8700"),
    /** Redisson's plain lock. */
    REDISSON("Redisson", "#d1503f"),
    /** Spring Integration's lock registry, notified of releases by pub/sub. */
    SPRING("Spring Integration", "#4f9d4a"),
    /** Two scripts on one connection: not a lock, but the cost of the network and the server for one. */
    FLOOR("two bare EVALSHA", "#8b949e"),
    /** The same, with the commands of one turn of the I/O thread in one write, as in Holdfast. */
    BATCHED("two bare EVALSHA, written together", "#57606a"),
    /** A lock of the JDK, for the threads of one process. */
    JDK("fair ReentrantLock", "#1b7c83");

    /** What the names of the locks begin with that are replicated by {@link #SELECTED}. */
    public static final String SELECTED_NAMES = "selected-";

    private static final int REPLICAS = 1;
    private static final Duration LONGEST_REPLICATION = Duration.ofMillis(500);

    private final String title;
    private final String colour;

    LockSystem(String title, String colour) {
        this.title = title;
        this.colour = colour;
    }

    /** {@return its name on a command line} */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return its name in a report} */
    public String title() {
        return title;
    }

    /** {@return its colour in charts} */
    public String colour() {
        return colour;
    }

    /** {@return whether its locks provide exclusion} */
    public boolean isLock() {
        return this != FLOOR && this != BATCHED;
    }

    /** {@return whether it has asynchronous methods} */
    public boolean isAsync() {
        return this != SPRING;
    }

    /** {@return whether it has fair locks} */
    public boolean hasFairLocks() {
        return this == HOLDFAST || this == REDISSON;
    }

    /** {@return whether its plain locks are renewed while they are held} */
    public boolean isRenewing() {
        return isHoldfast() || this == REDISSON;
    }

    /** {@return whether it is Holdfast, with whatever settings} */
    public boolean isHoldfast() {
        return this == HOLDFAST || this == UNAWAITED || needsReplica();
    }

    /** {@return whether it works only with a replica} */
    public boolean needsReplica() {
        return this == REPLICATED || this == SELECTED;
    }

    /** {@return whether it has read-write locks} */
    public boolean hasReadWriteLocks() {
        return this == HOLDFAST || this == UNAWAITED || this == REDISSON;
    }

    /** {@return whether its locks have conditions} */
    public boolean hasConditions() {
        return this == HOLDFAST || this == UNAWAITED;
    }

    /** {@return whether it has count-down latches} */
    public boolean hasLatches() {
        return this == HOLDFAST || this == REDISSON;
    }

    /** {@return the system with this name on a command line} */
    public static LockSystem of(String id) {
        return Arrays.stream(values())
                .filter(system -> system.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("system must be one of "
                        + Arrays.stream(values()).map(LockSystem::id).collect(Collectors.joining(", ")) + ", was "
                        + id));
    }

    /**
     * Connects a client.
     *
     * @param uri the address of a server, or those of several in one URI, as in {@code HoldfastBuilder.redisUri}
     * @param watchdogTimeout the lease of a lock that is renewed while it is held, where the library renews locks
     */
    public LockClient connect(String uri, Duration watchdogTimeout) {
        return switch (this) {
            case HOLDFAST -> new HoldfastClient(uri, watchdogTimeout, UnaryOperator.identity());
            case UNAWAITED -> new HoldfastClient(uri, watchdogTimeout, builder -> builder.awaitReleases(false));
            case REPLICATED ->
                new HoldfastClient(uri, watchdogTimeout, builder -> builder.replicated(REPLICAS, LONGEST_REPLICATION));
            case SELECTED ->
                new TwoClients(
                        SELECTED_NAMES,
                        REPLICATED.connect(uri, watchdogTimeout),
                        HOLDFAST.connect(uri, watchdogTimeout));
            case REDISSON -> new RedissonLocks(uri, watchdogTimeout);
            case SPRING -> new SpringLocks(uri);
            case FLOOR -> new BareScripts(uri, false);
            case BATCHED -> new BareScripts(uri, true);
            case JDK -> new LocalLocks();
        };
    }

    /**
     * Connects a client to each of these independent servers.
     *
     * @throws UnsupportedOperationException if the library has no locks that are acquired together
     */
    public MultiClient connectToAll(List<String> uris, Duration watchdogTimeout) {
        Stream<LockClient> clients = uris.stream().map(uri -> connect(uri, watchdogTimeout));
        if (isHoldfast()) {
            return new HoldfastMultiClient(
                    clients.map(HoldfastClient.class::cast).toList());
        }
        if (this == REDISSON) {
            return new RedissonMultiClient(
                    clients.map(RedissonLocks.class::cast).toList());
        }
        throw new UnsupportedOperationException(title + " has no locks that are acquired together");
    }
}
