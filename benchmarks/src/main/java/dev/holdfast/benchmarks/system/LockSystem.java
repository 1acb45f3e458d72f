package dev.holdfast.benchmarks.system;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The systems that are compared. Each opens clients with the defaults of its library. */
public enum LockSystem {
    /** Holdfast with its defaults. */
    HOLDFAST("Holdfast", "#1f6feb"),
    /** Holdfast whose releases are not awaited. */
    UNAWAITED("Holdfast, releases not awaited", "#6cb6ff"),
    /** Redisson's plain lock. */
    REDISSON("Redisson", "#d1503f"),
    /** Spring Integration's lock registry, notified of releases by pub/sub. */
    SPRING("Spring Integration", "#4f9d4a"),
    /** Two scripts on one connection: not a lock, but the cost of the network and the server for one. */
    FLOOR("two bare EVALSHA", "#8b949e"),
    /** The same, with the commands of one turn of the I/O thread in one write, as in Holdfast. */
    BATCHED("two bare EVALSHA, written together", "#57606a");

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

    /** {@return whether its plain locks are renewed while they are held} */
    public boolean isRenewing() {
        return this == HOLDFAST || this == UNAWAITED || this == REDISSON;
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
     * @param watchdogTimeout the lease of a lock that is renewed while it is held, where the library renews locks
     */
    public LockClient connect(String uri, Duration watchdogTimeout) {
        return switch (this) {
            case HOLDFAST -> new HoldfastClient(uri, watchdogTimeout, true);
            case UNAWAITED -> new HoldfastClient(uri, watchdogTimeout, false);
            case REDISSON -> new RedissonLocks(uri, watchdogTimeout);
            case SPRING -> new SpringLocks(uri);
            case FLOOR -> new BareScripts(uri, false);
            case BATCHED -> new BareScripts(uri, true);
        };
    }
}
