package dev.holdfast.benchmarks.system;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What is compared. Each opens clients with the library's own defaults. */
public enum LockSystem {
    /** Holdfast with its defaults. */
    HOLDFAST("Holdfast", "#1f6feb"),
    /** Holdfast whose releases are not awaited. */
    UNAWAITED("Holdfast, releases not awaited", "#6cb6ff"),
    /** Redisson's plain lock. */
    REDISSON("Redisson", "#d1503f"),
    /** Spring Integration's lock registry, told of releases by pub/sub. */
    SPRING("Spring Integration", "#4f9d4a"),
    /** Two scripts on one connection: no lock, but what the network and the server cost one. */
    FLOOR("two bare EVALSHA", "#8b949e"),
    /** The same, with the commands of one turn of the I/O thread in one write, as Holdfast has it. */
    BATCHED("two bare EVALSHA, written together", "#57606a");

    private final String title;
    private final String colour;

    LockSystem(String title, String colour) {
        this.title = title;
        this.colour = colour;
    }

    /** {@return how a command line calls it} */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@return how a report calls it} */
    public String title() {
        return title;
    }

    /** {@return its colour in charts} */
    public String colour() {
        return colour;
    }

    /** {@return whether it has locks that exclude} */
    public boolean isLock() {
        return this != FLOOR && this != BATCHED;
    }

    /** {@return whether it has futures} */
    public boolean isAsync() {
        return this != SPRING;
    }

    /** {@return whether its plain locks are renewed while they are held} */
    public boolean isRenewing() {
        return this == HOLDFAST || this == UNAWAITED || this == REDISSON;
    }

    /** {@return the system a command line calls so} */
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
     * @param watchdogTimeout the lease of a lock that is renewed while it is held, where the library has such
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
