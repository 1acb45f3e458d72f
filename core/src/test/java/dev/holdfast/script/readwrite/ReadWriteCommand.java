package dev.holdfast.script.readwrite;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One command for a lock.
 *
 * @param owner of the hold it is about; empty if it is about none
 * @param tenure the hold it is about; of a handoff, a delayed close or a settlement, the hold after it
 * @param holds the count after it; 0 if that has no meaning
 * @param lease milliseconds that it requests; 0 if it requests none
 * @param side of an acquire
 * @param joins whether an acquire joins a line
 * @param other of a downgrade, the read hold; of a handoff, a delayed close or a settlement, the hold before it; otherwise
 * null
 */
record ReadWriteCommand(
        Verb verb,
        String owner,
        long tenure,
        int holds,
        long lease,
        Side side,
        boolean joins,
        @Nullable Named other) {
    static final String CHANNEL = "redisson_rwlock:{lock}";

    private static final String LOCK = "lock";

    /** The side of a lock. */
    enum Side {
        READ,
        WRITE;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A tenure of an owner. */
    record Named(String owner, long tenure) {}

    enum Verb {
        ACQUIRE("rw-acquire.lua"),
        RELEASE("rw-release.lua"),
        DOWNGRADE("rw-downgrade.lua"),
        READ_SETTLE("rw-settle.lua"),
        RENEW("rw-renew.lua"),
        VERIFY("verify.lua"),
        HANDOFF("handoff.lua"),
        CLOSE_AFTER("close-after.lua"),
        SETTLE("settle.lua"),
        FORCE_UNLOCK("force-unlock.lua"),
        REDISSON_READ_LOCK(RedissonScripts.READ_LOCK),
        REDISSON_READ_UNLOCK(RedissonScripts.READ_UNLOCK),
        REDISSON_WRITE_LOCK(RedissonScripts.WRITE_LOCK),
        REDISSON_WRITE_UNLOCK(RedissonScripts.WRITE_UNLOCK);

        private final String script;

        Verb(String script) {
            this.script = script;
        }

        /** {@return the file of the script, or its text} */
        String script() {
            return script;
        }

        boolean isRedissons() {
            return compareTo(FORCE_UNLOCK) > 0;
        }

        /** {@return whether it is one that is safe when it comes twice or late} */
        boolean mayComeAgain() {
            return compareTo(FORCE_UNLOCK) < 0;
        }
    }

    static ReadWriteCommand acquire(String owner, long tenure, int holds, long lease, Side side, boolean joins) {
        return new ReadWriteCommand(Verb.ACQUIRE, owner, tenure, holds, lease, side, joins, null);
    }

    static ReadWriteCommand release(String owner, long tenure, int holds) {
        return new ReadWriteCommand(Verb.RELEASE, owner, tenure, holds, 0, Side.WRITE, false, null);
    }

    static ReadWriteCommand of(Verb verb, String owner, long tenure, long lease) {
        return new ReadWriteCommand(verb, owner, tenure, 0, lease, Side.WRITE, false, null);
    }

    static ReadWriteCommand of(Verb verb, String owner, long tenure, long lease, Named other) {
        return new ReadWriteCommand(verb, owner, tenure, 1, lease, Side.WRITE, false, other);
    }

    static String clientOf(String owner) {
        return owner.substring(0, Math.max(0, owner.lastIndexOf(':')));
    }

    static String labelOf(String owner) {
        return clientOf(owner).equals("b") ? "" : "label of " + clientOf(owner);
    }

    /** {@return the channel on which grants to that side of a client are published} */
    static String grantChannel(String client, Side side) {
        return CHANNEL + ":" + client + (side == Side.READ ? ":read" : "");
    }

    static String lineChannel() {
        return CHANNEL + ":line";
    }

    String client() {
        return clientOf(owner);
    }

    /** {@return the lease with which a release grants what this acquire requests} */
    long claim() {
        return Math.min(lease, 300);
    }

    boolean isAbout(String name, long number) {
        return owner.equals(name) && tenure == number;
    }

    boolean isFrom(String name, long number) {
        return other != null && other.owner().equals(name) && other.tenure() == number;
    }

    private Named second() {
        if (other == null) {
            throw new IllegalStateException("no second hold in " + this);
        }
        return other;
    }

    /** @param latch a name that no other command has */
    List<String> keys(String latch) {
        String prefix = "{" + LOCK + "}";
        return switch (verb) {
            case REDISSON_READ_LOCK -> List.of(LOCK, prefix + ":" + owner + ":rwlock_timeout");
            case REDISSON_READ_UNLOCK ->
                List.of(LOCK, CHANNEL, prefix + ":" + owner + ":rwlock_timeout", prefix, "latch " + latch);
            case REDISSON_WRITE_UNLOCK -> List.of(LOCK, CHANNEL, "latch " + latch);
            default -> List.of(LOCK);
        };
    }

    List<Object> arguments(String publish) {
        return switch (verb) {
            case ACQUIRE ->
                joins
                        ? List.of(owner, tenure, holds, lease, side.word(), labelOf(owner), claim(), CHANNEL, publish)
                        : List.of(owner, tenure, holds, lease, side.word(), labelOf(owner));
            case RELEASE -> List.of(owner, tenure, holds, CHANNEL, publish);
            case DOWNGRADE ->
                List.of(owner, tenure, second().owner(), second().tenure(), lease, CHANNEL, publish, labelOf(owner));
            case READ_SETTLE -> List.of(owner, tenure, lease, labelOf(owner), second().owner(), second().tenure());
            case RENEW -> List.of(owner, tenure, lease);
            case VERIFY -> List.of(owner, tenure);
            case HANDOFF -> List.of(owner, tenure, lease, second().owner(), second().tenure());
            case CLOSE_AFTER -> List.of(owner, second().tenure(), tenure, lease, CHANNEL, publish, "1");
            case SETTLE -> List.of(owner, tenure, 1, lease, "", second().owner(), second().tenure());
            case FORCE_UNLOCK -> List.of(CHANNEL, publish, "1");
            case REDISSON_READ_LOCK -> List.of(lease, owner, owner + ":write");
            case REDISSON_READ_UNLOCK -> List.of(1, owner, publish, 1000);
            case REDISSON_WRITE_LOCK -> List.of(lease, owner + ":write");
            case REDISSON_WRITE_UNLOCK -> List.of(1, lease, owner + ":write", publish, 1000);
        };
    }

    @Override
    public String toString() {
        String what = verb == Verb.ACQUIRE ? side + (joins ? ", joining" : "") : "";
        return verb + "(" + owner + " " + tenure + ", to " + holds + ", " + lease + " ms " + what
                + (other == null ? "" : other) + ")";
    }
}
