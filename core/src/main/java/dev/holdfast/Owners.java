package dev.holdfast;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Who holds: the client's id, which is always fresh, and an owner id within it. Threads have positive ids; ids made here
 * are negative, so that no thread ever has one.
 */
final class Owners {
    /** A power of two. */
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
    private final AtomicLong last = new AtomicLong();
    private final @Nullable String label;

    /**
     * Some owners' fields, each in the place its id has for it, the last one to come having it. Threads come again and again;
     * of owners that come once there are too many to keep. Written by any thread without order: a field is immutable.
     */
    private final @Nullable Field[] recent = new @Nullable Field[RECENT];

    Owners(@Nullable String label) {
        this.label = label;
    }

    String clientId() {
        return clientId;
    }

    long newOwnerId() {
        return last.decrementAndGet();
    }

    /** {@return the owner as it stands in Redis; not to be changed} */
    byte[] field(long ownerId) {
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

    /** {@return the owner as it is shown to people} */
    String describe(long ownerId) {
        return name(ownerId) + (label == null ? "" : " [" + label + "]");
    }

    /** {@return the owner as it is told to the listener: as in Redis} */
    String name(long ownerId) {
        return clientId + ":" + ownerId;
    }
}
