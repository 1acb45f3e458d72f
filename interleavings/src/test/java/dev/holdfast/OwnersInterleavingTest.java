package dev.holdfast;

import static dev.holdfast.interleavings.Interleavings.explore;
import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Interleavings.together;
import static java.nio.charset.StandardCharsets.US_ASCII;

import org.junit.jupiter.api.Test;

/** Owners whose fields share a place in the cache: each is given its own field, whoever wrote there last. */
class OwnersInterleavingTest {
    private static final long ONE = 1;
    private static final long OTHER = 257;

    @Test
    void field_ofTwoInOnePlace() {
        explore(() -> {
            Owners owners = new Owners(null);
            together(() -> ask(owners, ONE, OTHER), () -> ask(owners, OTHER, ONE));
        });
    }

    private static void ask(Owners owners, long first, long second) {
        requireOwn(owners, first);
        requireOwn(owners, second);
    }

    private static void requireOwn(Owners owners, long ownerId) {
        String field = new String(owners.field(ownerId), US_ASCII);
        require(field.equals(owners.name(ownerId)), "owner " + ownerId + " is its own");
    }
}
