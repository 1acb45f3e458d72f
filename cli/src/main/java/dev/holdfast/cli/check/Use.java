package dev.holdfast.cli.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What rights are needed for: a kind of lock, or what all of them share.
 *
 * @see "UseTest"
 */
public enum Use {
    /** A client at all. */
    CLIENT(Level.ERROR, "no client", "+subscribe +unsubscribe +ping", "", ""),
    LOCK(
            Level.ERROR,
            "no lock, no multi-lock and no segmented lock",
            Scripts.HASH + " +publish",
            "%1$s*",
            "redisson_lock__channel:%2$s*"),
    FENCED(
            Level.ERROR,
            "no fenced lock",
            Scripts.HASH + " +publish +time +get +set +incr",
            "%1$s* redisson_lock_token:%2$s*",
            "redisson_lock__channel:%2$s*"),
    FAIR(
            Level.ERROR,
            "no fair lock",
            Scripts.HASH + " +publish +time +pubsub|numsub",
            "%1$s*",
            "redisson_lock__channel:%2$s*"),
    READ_WRITE(Level.ERROR, "no read-write lock", Scripts.HASH + " +publish +time", "%1$s*", "redisson_rwlock:%2$s*"),
    SEMAPHORE(
            Level.ERROR,
            "no semaphore",
            Scripts.HASH + " +publish +time",
            "holdfast_semaphore:%2$s*",
            "holdfast__channel:holdfast_semaphore:%2$s*"),
    LATCH(
            Level.ERROR,
            "no latch",
            Scripts.RUN + " +hmget +hset +hdel +pttl +pexpire +get +set +del +publish +time",
            "%1$s* holdfast_latch:{%1$s*",
            "redisson_countdownlatch__channel__{%1$s*"),
    CONDITION(
            Level.ERROR,
            "no condition",
            Scripts.RUN + " +time +hget +hset +hdel +hgetall +pttl +pexpire +publish +pubsub|numsub",
            "%1$s* holdfast_condition:%2$s*",
            "redisson_lock__channel:%2$s*"),
    /** The line of clients for a lock. */
    LINE(
            Level.WARNING,
            "clients form no line, but compete for each release",
            "+time +pubsub|numsub",
            "",
            "redisson_lock__channel:%2$s*"),
    /** Ending connections that were lost. */
    LATE_COMMANDS(
            Level.WARNING,
            "commands of a connection that was lost can be executed late",
            "+client|info +client|kill",
            "",
            ""),
    /** Knowing a server again. */
    IDENTITY(
            Level.WARNING,
            "each new connection counts as one to another server, and scripts are sent in full once",
            "+hello +info +script|load",
            "",
            ""),
    /** Locks that are granted when replicas have them. */
    REPLICATED(Level.NOTE, "no replicated locks; other clients do not need it", "+wait", "", ""),
    /** Servers under sentinels. */
    FAILOVER(Level.ERROR, "no client under sentinels", "+role", "", ""),
    /** Finding the master of a lock in a cluster. */
    CLUSTER(Level.ERROR, "no client of a cluster", "+cluster|slots", "", ""),
    /** Following the changes of a cluster. */
    SLOT_MOVES(
            Level.WARNING,
            "a free lock whose slot is moved waits, and a new replica that takes over is taken for a stranger",
            "+cluster|nodes +asking",
            "",
            "");

    /** What several kinds need. */
    private static final class Scripts {
        static final String RUN = "+evalsha +eval";
        static final String HASH = RUN + " +hget +hmget +hset +hdel +hgetall +pttl +pexpire +del";
    }

    private final Level level;
    private final String without;
    private final String commands;
    private final String keys;
    private final String channels;

    Use(Level level, String without, String commands, String keys, String channels) {
        this.level = level;
        this.without = without;
        this.commands = commands;
        this.keys = keys;
        this.channels = channels;
    }

    /** {@return the name that is printed, as in {@code read-write}} */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** {@return how bad it is if a right is missing} */
    Level level() {
        return level;
    }

    /** {@return what does not work if a right is missing} */
    String without() {
        return without;
    }

    /** {@return whether it is a kind of lock, which an application may not use} */
    public boolean isKind() {
        return compareTo(LOCK) >= 0 && compareTo(CONDITION) <= 0;
    }

    /** {@return whether a set-up needs it} */
    boolean isIn(Shape shape) {
        return switch (this) {
            case FAILOVER -> shape == Shape.SENTINEL;
            case CLUSTER, SLOT_MOVES -> shape == Shape.CLUSTER;
            default -> true;
        };
    }

    /**
     * {@return the rights, in the syntax of ACL rules, for locks whose names begin with the prefix}
     *
     * @param isSharded whether messages are those of a cluster from Redis 7.0 on
     */
    List<String> rights(String prefix, boolean isSharded) {
        List<String> rights = new ArrayList<>();
        words(commands)
                .flatMap(command -> isSharded ? sharded(command) : Stream.of(command))
                .forEach(rights::add);
        keys(prefix).forEach(key -> rights.add("~" + key));
        channels(prefix).forEach(channel -> rights.add("&" + channel));
        return rights;
    }

    List<String> keys(String prefix) {
        return patterns(keys, prefix);
    }

    List<String> channels(String prefix) {
        return patterns(channels, prefix);
    }

    /** What belongs to a name has it in braces, unless it has a brace itself: only so both are in one slot. */
    private static List<String> patterns(String texts, String prefix) {
        String tagged = prefix.contains("{") ? prefix : "{" + prefix;
        return words(texts).map(text -> text.formatted(prefix, tagged)).collect(Collectors.toList());
    }

    private static Stream<String> words(String text) {
        return text.isEmpty() ? Stream.of() : Stream.of(text.split(" ", -1));
    }

    private Stream<String> sharded(String command) {
        return switch (command) {
            case "+publish" -> Stream.of("+spublish");
            case "+subscribe" -> Stream.of("+subscribe", "+ssubscribe");
            case "+unsubscribe" -> Stream.of("+unsubscribe", "+sunsubscribe");
            case "+pubsub|numsub" -> Stream.of("+pubsub|shardnumsub");
            default -> Stream.of(command);
        };
    }
}
