package dev.holdfast.cli.check;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/** What one server must be like, whatever set-up it is a part of. */
final class NodeChecks {
    private static final List<BiFunction<Node, Shape, Finding>> ALL = List.of(
            (node, shape) -> version(node, shape),
            (node, shape) -> role(node, shape),
            (node, shape) -> resp3(node, shape),
            (node, shape) -> subscriptions(node),
            (node, shape) -> eviction(node),
            (node, shape) -> memory(node),
            (node, shape) -> persistence(node, shape),
            (node, shape) -> clock(node),
            (node, shape) -> roundTrip(node),
            (node, shape) -> idleTimeout(node),
            (node, shape) -> keepalive(node));

    private static final Duration CLOCKS = Duration.ofSeconds(1);
    private static final Duration NEAR = Duration.ofMillis(10);
    private static final Duration FAR = Duration.ofMillis(100);

    private NodeChecks() {}

    static List<Finding> of(Node node, Shape shape) {
        return ALL.stream()
                .map(check -> check.apply(node, shape).at(node.address()))
                .toList();
    }

    static Finding version(Node node, Shape shape) {
        return node.version()
                .fold(
                        version -> version(
                                node.field("valkey_version")
                                        .map(v -> "Valkey " + v)
                                        .orElse("Redis " + version),
                                version,
                                shape),
                        reason -> Finding.unknown(Check.VERSION, "version", reason));
    }

    private static Finding version(String product, String version, Shape shape) {
        if (version.matches("[0-5]\\..*|6\\.[01]\\..*")) {
            return Finding.error(Check.VERSION, product, "an upgrade to Redis 7.0 or newer, or to Valkey");
        }
        if (version.startsWith("6.") && shape == Shape.CLUSTER) {
            return Finding.warning(
                    Check.VERSION,
                    product + ": clients form no line, and each release is published to all nodes",
                    "an upgrade to Redis 7.0 or newer, or to Valkey");
        }
        return Finding.ok(Check.VERSION, product);
    }

    static Finding role(Node node, Shape shape) {
        if (node.isSentinel()) {
            return Finding.error(
                    Check.ROLE, "a sentinel, which has no locks", "redis-sentinel://host:port#name as the address");
        }
        return node.field("role")
                .fold(
                        role -> !role.equals("slave")
                                ? Finding.ok(Check.ROLE, role)
                                : shape.failsOver()
                                        ? Finding.ok(Check.ROLE, "replica")
                                        : Finding.error(
                                                Check.ROLE,
                                                "replica of "
                                                        + node.field("master_host")
                                                                .orElse("?") + ":"
                                                        + node.field("master_port")
                                                                .orElse("?"),
                                                "the address of its master, or of sentinels that know it"),
                        reason -> Finding.unknown(Check.ROLE, "role", reason));
    }

    static Finding resp3(Node node, Shape shape) {
        return node.resp3().fold(yes -> Finding.ok(Check.RESP3, "HELLO 3 is accepted"), reason -> {
            String figure = "HELLO 3 fails: " + reason;
            String set = "a connection to Redis itself, without a proxy that knows no HELLO";
            return shape == Shape.CLUSTER && node.isSharded()
                    ? Finding.error(Check.RESP3, figure, set)
                    : Finding.note(Check.RESP3, figure, set);
        });
    }

    static Finding subscriptions(Node node) {
        return node.subscription()
                .fold(
                        sharded -> Finding.ok(
                                Check.SUBSCRIPTIONS, (sharded ? "SSUBSCRIBE" : "SUBSCRIBE") + " is accepted"),
                        reason -> node.rights().prefix().isEmpty() && RightVerdict.ofName(reason) == RightVerdict.DENIED
                                ? Finding.note(
                                        Check.SUBSCRIPTIONS,
                                        "unknown: the user may use some channels alone",
                                        "--prefix, and how the names of your locks begin")
                                : Finding.error(
                                        Check.SUBSCRIPTIONS,
                                        "none: " + reason,
                                        "the rights of the user, below, or an address of Redis itself, without a proxy"));
    }

    static Finding eviction(Node node) {
        Answer<String> policy = node.setting("maxmemory-policy").or(() -> node.field("maxmemory_policy"));
        return policy.fold(
                value -> {
                    String set = "CONFIG SET maxmemory-policy noeviction";
                    if (value.equals("noeviction")) {
                        return Finding.ok(Check.EVICTION, "maxmemory-policy noeviction");
                    }
                    Answer<Long> limit = node.number("maxmemory").or(() -> node.numericSetting("maxmemory"));
                    return limit.isKnown() && limit.orElse(1L) == 0
                            ? Finding.warning(
                                    Check.EVICTION, "maxmemory-policy " + value + ", without maxmemory so far", set)
                            : Finding.error(
                                    Check.EVICTION,
                                    "maxmemory-policy " + value + ", maxmemory "
                                            + limit.map(NodeChecks::bytes).orElse("unknown"),
                                    set);
                },
                reason -> Finding.unknown(Check.EVICTION, "maxmemory-policy", reason));
    }

    static Finding memory(Node node) {
        Answer<Long> used = node.number("used_memory");
        Answer<Long> limit = node.number("maxmemory");
        if (!used.isKnown() || !limit.isKnown()) {
            return Finding.unknown(Check.MEMORY, "memory in use", used.isKnown() ? limit.reason() : used.reason());
        }
        boolean isLimited = limit.orElse(0L) > 0;
        long most = isLimited
                ? limit.orElse(0L)
                : node.number("total_system_memory").orElse(0L);
        if (most <= 0) {
            return Finding.ok(Check.MEMORY, bytes(used.orElse(0L)) + " used, without a limit");
        }
        long percent = used.orElse(0L) * 100 / most;
        String figure = bytes(used.orElse(0L)) + " used of " + bytes(most)
                + (isLimited ? " (maxmemory), " : " (the machine's), ") + percent + " %";
        String set = isLimited ? "CONFIG SET maxmemory " + 2 * used.orElse(0L) : "fewer keys, or a larger machine";
        if (percent >= 100) {
            return Finding.error(Check.MEMORY, figure, set);
        }
        return percent >= 90 ? Finding.warning(Check.MEMORY, figure, set) : Finding.ok(Check.MEMORY, figure);
    }

    private static String bytes(long number) {
        return String.format(Locale.ROOT, "%.1f MB", number / 1024.0 / 1024.0);
    }

    /** Where a replica takes over, a failover may lose what a flush each second may lose. */
    static Finding persistence(Node node, Shape shape) {
        Answer<String> appendOnly = node.setting("appendonly")
                .or(() -> node.field("aof_enabled").map(enabled -> enabled.equals("1") ? "yes" : "no"));
        if (!appendOnly.isKnown()) {
            return Finding.unknown(Check.PERSISTENCE, "appendonly", appendOnly.reason());
        }
        String set = "CONFIG SET appendonly yes" + (shape.failsOver() ? "" : " and CONFIG SET appendfsync always");
        if (!appendOnly.orElse("").equals("yes")) {
            String save = node.setting("save").fold(s -> s.isEmpty() ? "no save" : "save " + s, r -> "save unknown");
            return Finding.warning(Check.PERSISTENCE, "appendonly no, " + save, set);
        }
        return node.setting("appendfsync")
                .fold(
                        fsync -> fsync.equals("always") || shape.failsOver()
                                ? Finding.ok(Check.PERSISTENCE, "appendonly yes, appendfsync " + fsync)
                                : Finding.warning(
                                        Check.PERSISTENCE,
                                        "appendonly yes, appendfsync " + fsync + ": "
                                                + (fsync.equals("no") ? "some 30 s" : "the last second")
                                                + " may be lost",
                                        "CONFIG SET appendfsync always"),
                        reason -> Finding.unknown(Check.PERSISTENCE, "appendonly yes, appendfsync", reason));
    }

    static Finding clock(Node node) {
        return node.clock()
                .fold(
                        reading -> {
                            String figure = signed(reading.ahead()) + " against this machine, +- "
                                    + millis(reading.roundTrip().dividedBy(2));
                            Duration atLeast = reading.ahead()
                                    .abs()
                                    .minus(reading.roundTrip().dividedBy(2));
                            return atLeast.compareTo(CLOCKS) > 0
                                    ? Finding.warning(
                                            Check.CLOCK, figure, "NTP on both machines, which slews their clocks")
                                    : Finding.ok(Check.CLOCK, "within 1 s of this machine's");
                        },
                        reason -> Finding.unknown(Check.CLOCK, "the server's time", reason));
    }

    private static String signed(Duration duration) {
        return (duration.isNegative() ? "" : "+") + duration.toMillis() + " ms";
    }

    static Finding roundTrip(Node node) {
        if (node.roundTrips().isEmpty()) {
            return Finding.unknown(Check.ROUND_TRIP, "round trips", "no command was answered");
        }
        List<Duration> sorted = node.roundTrips().stream().sorted().toList();
        Duration median = sorted.get(sorted.size() / 2);
        String figure =
                "median " + millis(median) + ", most " + millis(sorted.get(sorted.size() - 1)) + " of " + sorted.size();
        String set = "clients in the zone of their Redis; redis-cli --latency shows the rest";
        if (median.compareTo(FAR) > 0) {
            return Finding.warning(Check.ROUND_TRIP, figure, set);
        }
        return median.compareTo(NEAR) > 0
                ? Finding.note(Check.ROUND_TRIP, figure, set)
                : Finding.ok(Check.ROUND_TRIP, figure);
    }

    private static String millis(Duration duration) {
        return String.format(Locale.ROOT, "%.1f ms", duration.toNanos() / 1e6);
    }

    static Finding idleTimeout(Node node) {
        return node.numericSetting("timeout")
                .fold(
                        seconds -> seconds == 0
                                ? Finding.ok(Check.IDLE_TIMEOUT, "timeout 0")
                                : Finding.warning(
                                        Check.IDLE_TIMEOUT, "timeout " + seconds + " s", "CONFIG SET timeout 0"),
                        reason -> Finding.unknown(Check.IDLE_TIMEOUT, "timeout", reason));
    }

    static Finding keepalive(Node node) {
        return node.numericSetting("tcp-keepalive")
                .fold(
                        seconds -> seconds > 0 && seconds <= 300
                                ? Finding.ok(Check.KEEPALIVE, "tcp-keepalive " + seconds + " s")
                                : Finding.warning(
                                        Check.KEEPALIVE,
                                        seconds == 0 ? "tcp-keepalive 0: never" : "tcp-keepalive " + seconds + " s",
                                        "CONFIG SET tcp-keepalive 300"),
                        reason -> Finding.unknown(Check.KEEPALIVE, "tcp-keepalive", reason));
    }
}
