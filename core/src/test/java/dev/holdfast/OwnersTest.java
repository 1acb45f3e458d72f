package dev.holdfast;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Who holds, in Redis and for people. */
final class OwnersTest {
    private final Owners owners = new Owners(null);

    /** A client's id is a UUID, and a new one each time. */
    @Test
    void clientId_isFresh() {
        assertThat(UUID.fromString(owners.clientId())).hasToString(owners.clientId());
        assertThat(owners.clientId()).isNotEqualTo(new Owners(null).clientId());
    }

    /** Ids made here are negative and never the same. */
    @Test
    void newOwnerId_isNegative() {
        assertThat(LongStream.generate(owners::newOwnerId).limit(1_000))
                .doesNotHaveDuplicates()
                .allMatch(id -> id < 0);
    }

    /** In Redis an owner is the client's id and its own; a label is only for people. */
    @Test
    void field_hasNoLabel() {
        Owners labelled = new Owners("pod 7");
        String name = labelled.clientId() + ":" + Long.MIN_VALUE;
        assertThat(new String(labelled.field(Long.MIN_VALUE), US_ASCII)).isEqualTo(name);
        assertThat(labelled.name(Long.MIN_VALUE)).isEqualTo(name);
        assertThat(labelled.describe(Long.MIN_VALUE)).isEqualTo(name + " [pod 7]");
        assertThat(owners.describe(17)).isEqualTo(owners.clientId() + ":17");
    }

    /** Each owner has its own field, however many there are, and in whatever order and by whatever threads they are asked. */
    @Test
    void field_ofMany() {
        LongStream ids =
                LongStream.rangeClosed(-1_000, 1_000).flatMap(id -> LongStream.of(id, id * 4_096 + 1, -id, id));
        assertThat(ids.parallel().boxed()).allSatisfy(id -> assertThat(new String(owners.field(id), US_ASCII))
                .isEqualTo(owners.name(id)));
    }
}
