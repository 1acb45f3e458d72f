package dev.holdfast.internal.session;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The ids of clients and owners, in Redis and in messages. */
@Tag("pure")
final class OwnerIdsTest {
    private final OwnerIds owners = new OwnerIds(null);

    /** A client's id is a UUID, and a new one each time. */
    @Test
    void clientId_isFresh() {
        assertThat(UUID.fromString(owners.clientId())).hasToString(owners.clientId());
        assertThat(owners.clientId()).isNotEqualTo(new OwnerIds(null).clientId());
    }

    /** Generated ids are negative and unique, whether they are for owners or for handles. */
    @Test
    void newOwnerId_isNegative() {
        assertThat(LongStream.generate(() -> 0)
                        .limit(1_000)
                        .flatMap(next -> LongStream.of(owners.newOwnerId(), owners.newHandleId())))
                .doesNotHaveDuplicates()
                .allMatch(id -> id < 0);
    }

    /** Threads and owner ids acquire again; a handle has one hold, and so has a group. */
    @Test
    void recurs_threadsAndUsers() {
        for (int i = 0; i < 3; i++) {
            assertThat(OwnerIds.recurs(1 + i)).isTrue();
            assertThat(OwnerIds.recurs(owners.newOwnerId())).isTrue();
            assertThat(OwnerIds.recurs(owners.newHandleId())).isFalse();
            assertThat(OwnerIds.recurs(owners.newGroupId())).isFalse();
        }
    }

    /** Users may name threads, and owners whose ids were drawn for them. */
    @Test
    void requireUsers_threadsAndTheirOwn() {
        long drawn = owners.newOwnerId();
        for (long id : new long[] {drawn, 1, 17, Long.MAX_VALUE}) {
            assertThat(owners.requireUsers(id)).isEqualTo(id);
            assertThat(owners.isUsers(id)).isTrue();
        }
    }

    /**
     * They may not name a handle, drawn now or later, nor an owner id that was made up; the message gives the reason.
     */
    @Test
    void requireUsers_otherIds_areRefused() {
        long drawn = owners.newOwnerId();
        String rule = "an owner id must be from newOwnerId() of the same client, or a thread's, was ";
        assertRefused(owners.newHandleId(), rule + "-2: it can be a handle's, which nobody else acts for");
        assertRefused(-4, rule + "-4: it can be a handle's, which nobody else acts for");
        assertRefused(Long.MIN_VALUE, rule + Long.MIN_VALUE + ": it can be a handle's, which nobody else acts for");
        assertRefused(drawn - 2, rule + "-3: newOwnerId() has not returned it");
        assertRefused(0, rule + "0: no thread has it");
    }

    private void assertRefused(long id, String message) {
        assertThatThrownBy(() -> owners.requireUsers(id))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
        assertThat(owners.isUsers(id)).isFalse();
    }

    /** In Redis an owner is the client's id and its own; a label appears in messages only. */
    @Test
    void field_hasNoLabel() {
        OwnerIds labelled = new OwnerIds("pod 7");
        String name = labelled.clientId() + ":" + Long.MIN_VALUE;
        assertThat(new String(labelled.field(Long.MIN_VALUE), US_ASCII)).isEqualTo(name);
        assertThat(labelled.name(Long.MIN_VALUE)).isEqualTo(name);
        assertThat(labelled.describe(Long.MIN_VALUE)).isEqualTo(name + " [pod 7]");
        assertThat(owners.describe(17)).isEqualTo(owners.clientId() + ":17");
    }

    /**
     * Each owner has its own field, however many there are, and in whatever order and by whatever threads they are
     * requested.
     */
    @Test
    void field_ofMany() {
        LongStream ids =
                LongStream.rangeClosed(-1_000, 1_000).flatMap(id -> LongStream.of(id, id * 4_096 + 1, -id, id));
        assertThat(ids.parallel().boxed()).allSatisfy(id -> assertThat(new String(owners.field(id), US_ASCII))
                .isEqualTo(owners.name(id)));
    }
}
