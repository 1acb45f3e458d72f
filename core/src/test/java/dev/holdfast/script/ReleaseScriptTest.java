package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.CHANNEL;
import static dev.holdfast.script.RawScripts.ENDLESS;
import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OTHER;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Announcements;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each reply of {@code release.lua}, and the state of the keys after it. */
@Tag("script")
final class ReleaseScriptTest {
    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();

    /** The release of the last level deletes the key. */
    @Test
    void release_last() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        assertThat(scripts.release(lock, OWNER, 3, 0)).isEqualTo(3L);
        assertThat(scripts.redis().exists(lock)).isZero();
    }

    /** A release of all levels deletes the key whatever the count was. */
    @Test
    void release_allLevels() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        scripts.acquire(lock, OWNER, 3, 5, LEASE);
        assertThat(scripts.release(lock, OWNER, 3, 0)).isEqualTo(3L);
        assertThat(scripts.redis().exists(lock)).isZero();
    }

    /**
     * A release of one of several levels sets the count that it names, however often it is sent; the lease is
     * unchanged.
     */
    @Test
    void release_oneOfSeveral() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        scripts.acquire(lock, OWNER, 3, 2, LEASE);
        scripts.redis().pexpire(lock, Duration.ofSeconds(20));
        for (int twice = 0; twice < 2; twice++) {
            assertThat(scripts.release(lock, OWNER, 3, 1)).isEqualTo(3L);
            assertThat(scripts.hash(lock)).isEqualTo(Map.of(OWNER, "1", OWNER + ":tenure", "3"));
        }
        assertThat(scripts.left(lock)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(20));
    }

    /** A full release also ends an older tenure of the owner, with a message; a partial one does nothing to it. */
    @Test
    void release_olderTenure() {
        try (Announcements messages = Announcements.on(scripts.server(), CHANNEL)) {
            scripts.acquire(lock, OWNER, 2, 1, LEASE);
            assertThat(scripts.release(lock, OWNER, 3, 1)).isEqualTo(0L);
            assertThat(scripts.hash(lock)).containsEntry(OWNER + ":tenure", "2");
            assertThat(scripts.release(lock, OWNER, 3, 0)).isEqualTo(0L);
            assertThat(scripts.redis().exists(lock)).isZero();
            assertThat(messages.untilEnd()).containsExactly("0");
        }
    }

    /** A message is published for a full release, and for nothing less. */
    @Test
    void release_announced() {
        try (Announcements messages = Announcements.on(scripts.server(), CHANNEL)) {
            scripts.acquire(lock, OWNER, 3, 1, LEASE);
            scripts.acquire(lock, OWNER, 3, 2, LEASE);
            scripts.release(lock, OWNER, 3, 1);
            scripts.release(lock, OWNER, 2, 0);
            scripts.release(lock, OTHER, 3, 0);
            scripts.release(lock, OWNER, 3, 0);
            scripts.release(lock, OWNER, 3, 0);
            assertThat(messages.untilEnd()).containsExactly("0");
        }
    }

    /** The reply includes how many clients received the message, if any did. */
    @Test
    void release_received() {
        try (Announcements messages = Announcements.on(scripts.server(), CHANNEL)) {
            scripts.acquire(lock, OWNER, 3, 1, LEASE);
            assertThat(scripts.release(lock, OWNER, 3, 0)).isEqualTo(List.of(3L, 1L));
            assertThat(messages.untilEnd()).containsExactly("0");
        }
    }

    /** If the publish is refused the lock is still released, and the reply includes the error. */
    @Test
    void release_announcementRefused() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        Object reply = scripts.runWithoutPublish("release.lua", List.of(lock), OWNER, 3, 0, CHANNEL, "PUBLISH");
        assertThat(reply)
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(2)
                .startsWith(3L);
        assertThat(reply.toString()).contains("channel");
        assertThat(scripts.redis().exists(lock)).isZero();
    }

    /** A late release finds a newer tenure of its owner, returns it and changes nothing. */
    @Test
    void release_newerTenure() {
        scripts.acquire(lock, OWNER, 4, 1, LEASE);
        assertThat(scripts.release(lock, OWNER, 3, 0)).isEqualTo(4L);
        assertThat(scripts.release(lock, OWNER, 3, 1)).isEqualTo(4L);
        assertThat(scripts.hash(lock)).isEqualTo(Map.of(OWNER, "1", OWNER + ":tenure", "4"));
    }

    /** Another owner's hold is left alone, and the reply is what its lease has left. */
    @Test
    void release_ofAnother() {
        scripts.acquire(lock, OTHER, 3, 1, LEASE);
        assertThat((Long) scripts.release(lock, OWNER, 3, 0)).isBetween(-LEASE.toMillis(), -1L);
        scripts.redis().persist(lock);
        assertThat(scripts.release(lock, OWNER, 3, 0)).isEqualTo(ENDLESS);
        assertThat(scripts.hash(lock)).isEqualTo(Map.of(OTHER, "1", OTHER + ":tenure", "3"));
    }

    /** A release never creates a hold, not even a partial release. */
    @Test
    void release_free() {
        assertThat(scripts.release(lock, OWNER, 3, 0)).isEqualTo(0L);
        assertThat(scripts.release(lock, OWNER, 3, 2)).isEqualTo(0L);
        assertThat(scripts.redis().exists(lock)).isZero();
    }
}
