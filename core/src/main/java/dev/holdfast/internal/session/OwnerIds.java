package dev.holdfast.internal.session;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The identity of owners: the client's id, which is new for every client, and an owner id within it.
 *
 * <pre>
 *   threads     1, 2, 3, ..     their own ids
 *   owner ids   -1, -3, -5, ..  drawn by users, and used by them on any thread
 *   handles     -2, -6, -10, .. drawn for each handle; only the handle may act for it
 *   groups      -4, -8, -12, .. drawn for each hold that several owners of the client share
 * </pre>
 *
 * <p>So owners of different kinds never have the same id, and ids stay short in Redis.
 */
public final class OwnerIds {
    /** The size of the cache; a power of two. */
    private static final int RECENT = 256;

    private static final class Field {
        final long ownerId;
        final byte[] encoded;

        Field(long ownerId, byte[] encoded) {
            this.ownerId = ownerId;
            this.encoded = encoded;
        }
    }

    private final String clientId = UUID.randomUUID().toString();
    private final byte[] prefix = (clientId + ":").getBytes(US_ASCII);
    private final AtomicLong lastOwnerId = new AtomicLong(1);
    private final AtomicLong lastHandleId = new AtomicLong(2);
    private final AtomicLong lastGroupId = new AtomicLong();
    private final @Nullable String label;

    /**
     * A cache of encoded owners, indexed by the low bits of the id; a new entry replaces the one in its slot. Threads
     * recur; owners that occur only once are too many to keep. Written by any thread without ordering: an entry is
     * immutable.
     */
    private final @Nullable Field[] recent = new @Nullable Field[RECENT];

    public OwnerIds(@Nullable String label) {
        this.label = label;
    }

    public String clientId() {
        return clientId;
    }

    /** {@return an id for an owner that is neither a thread nor a handle} */
    public long newOwnerId() {
        return lastOwnerId.addAndGet(-2);
    }

    /** {@return an id for a handle} */
    public long newHandleId() {
        return lastHandleId.addAndGet(-4);
    }

    /** {@return an id for a hold that several owners share} */
    public long newGroupId() {
        return lastGroupId.addAndGet(-4);
    }

    /** {@return whether the owner of this id may acquire again} That of a handle or a group does so once. */
    public static boolean recurs(long ownerId) {
        return ownerId > 0 || (ownerId & 1) != 0;
    }

    /**
     * {@return whether users may act for the owner of this id: it is a thread's, or {@link #newOwnerId} returned it}
     */
    public boolean isUsers(long ownerId) {
        return whyNotUsers(ownerId) == null;
    }

    /** {@return the id, which is checked to be one that users may act for} */
    public long requireUsers(long ownerId) {
        String why = whyNotUsers(ownerId);
        if (why != null) {
            throw new IllegalArgumentException(
                    "an owner id must be from newOwnerId() of the same client, or a thread's, was " + ownerId + ": "
                            + why);
        }
        return ownerId;
    }

    private @Nullable String whyNotUsers(long ownerId) {
        if (ownerId > 0) {
            return null;
        }
        if (ownerId == 0) {
            return "no thread has it";
        }
        if (!recurs(ownerId)) {
            return "it can be a handle's, which nobody else acts for";
        }
        return ownerId < lastOwnerId.get() ? "newOwnerId() has not returned it" : null;
    }

    /** {@return the owner as encoded in Redis; not to be modified} */
    public byte[] field(long ownerId) {
        int slot = (int) (ownerId & (RECENT - 1));
        Field known = recent[slot];
        if (known == null || known.ownerId != ownerId) {
            known = new Field(ownerId, encoded(ownerId));
            recent[slot] = known;
        }
        return known.encoded;
    }

    private byte[] encoded(long ownerId) {
        byte[] digits = Long.toString(ownerId).getBytes(US_ASCII);
        byte[] field = new byte[prefix.length + digits.length];
        System.arraycopy(prefix, 0, field, 0, prefix.length);
        System.arraycopy(digits, 0, field, prefix.length, digits.length);
        return field;
    }

    /** {@return the label of the client, or null if it has none} */
    public @Nullable String label() {
        return label;
    }

    /** {@return the owner as shown in messages} */
    public String describe(long ownerId) {
        return name(ownerId) + labelled();
    }

    /** {@return the client's id, with its label} */
    public String describeClient() {
        return clientId() + labelled();
    }

    private String labelled() {
        return label == null ? "" : " [" + label + "]";
    }

    /** {@return the owner as named in events and in Redis} */
    public String name(long ownerId) {
        return clientId + ":" + ownerId;
    }
}
