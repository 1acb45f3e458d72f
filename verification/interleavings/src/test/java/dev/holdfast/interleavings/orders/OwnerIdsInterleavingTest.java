package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.explore;
import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Interleavings.together;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.holdfast.internal.session.OwnerIds;
import org.junit.jupiter.api.Test;

/** Owners whose fields share a cache slot: each gets its own field, whichever was written there last. */
class OwnerIdsInterleavingTest {
    private static final long ONE = 1;
    private static final long OTHER = 257;

    @Test
    void field_ofTwoInOnePlace() {
        explore(() -> {
            OwnerIds owners = new OwnerIds(null);
            together(() -> requireBoth(owners, ONE, OTHER), () -> requireBoth(owners, OTHER, ONE));
        });
    }

    private static void requireBoth(OwnerIds owners, long first, long second) {
        requireOwn(owners, first);
        requireOwn(owners, second);
    }

    private static void requireOwn(OwnerIds owners, long ownerId) {
        String field = new String(owners.field(ownerId), US_ASCII);
        require(field.equals(owners.name(ownerId)), "owner " + ownerId + " gets its own field");
    }
}
