package dev.holdfast;

import static dev.holdfast.RawScripts.CHANNEL;
import static dev.holdfast.RawScripts.LEASE;
import static dev.holdfast.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Each answer of {@code force-unlock.lua}, and what it has done by then. */
final class ForceUnlockScriptTest {
    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();

    /** A lock is taken away from whoever holds it, and who waits is told once. */
    @Test
    void forceUnlock_held() {
        try (Announcements heard = Announcements.on(scripts.server(), CHANNEL)) {
            scripts.acquire(lock, OWNER, 3, 1, LEASE);
            scripts.acquire(lock, OWNER, 3, 2, LEASE);
            assertThat(forceUnlock()).isEqualTo(1L);
            assertThat(forceUnlock()).isEqualTo(0L);
            assertThat(scripts.redis().exists(lock)).isZero();
            assertThat(heard.untilEnd()).containsExactly("0");
        }
    }

    /** A lock that nobody holds is not taken away from anybody. */
    @Test
    void forceUnlock_free() {
        assertThat(forceUnlock()).isEqualTo(0L);
    }

    /** A refused announcement does not undo it, and is told beside it. */
    @Test
    void forceUnlock_announcementRefused() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        Object reply = scripts.runWithoutPublish("force-unlock.lua", List.of(lock), CHANNEL, "PUBLISH");
        assertThat(reply)
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(2)
                .startsWith(1L);
        assertThat(reply.toString()).contains("channel");
        assertThat(scripts.redis().exists(lock)).isZero();
    }

    private Object forceUnlock() {
        return scripts.run("force-unlock.lua", List.of(lock), CHANNEL, "PUBLISH");
    }
}
