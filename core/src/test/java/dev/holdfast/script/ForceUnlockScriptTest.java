package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.CHANNEL;
import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Announcements;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each reply of {@code force-unlock.lua}, and the state of the keys after it. */
@Tag("script")
final class ForceUnlockScriptTest {
    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();

    /** A lock is removed whoever holds it, and one message is published to its waiters. */
    @Test
    void forceUnlock_held() {
        try (Announcements messages = Announcements.on(scripts.server(), CHANNEL)) {
            scripts.acquire(lock, OWNER, 3, 1, LEASE);
            scripts.acquire(lock, OWNER, 3, 2, LEASE);
            assertThat(forceUnlock()).isEqualTo(1L);
            assertThat(forceUnlock()).isEqualTo(0L);
            assertThat(scripts.redis().exists(lock)).isZero();
            assertThat(messages.untilEnd()).containsExactly("0");
        }
    }

    /** Nothing is removed if the lock is free. */
    @Test
    void forceUnlock_free() {
        assertThat(forceUnlock()).isEqualTo(0L);
    }

    /** If the publish is refused the lock is still removed, and the reply includes the error. */
    @Test
    void forceUnlock_announcementRefused() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        Object reply = scripts.runWithoutPublish("force-unlock.lua", List.of(lock), CHANNEL, "PUBLISH", "0");
        assertThat(reply)
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(2)
                .startsWith(1L);
        assertThat(reply.toString()).contains("channel");
        assertThat(scripts.redis().exists(lock)).isZero();
    }

    /** A lock of another kind is left alone, and the error names it. */
    @Test
    void forceUnlock_otherKind() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        assertThatThrownBy(() -> forceUnlock("1")).hasMessageContaining("WRONGKIND exclusive lock");
        scripts.redis().hset(lock, "mode", "write");
        assertThatThrownBy(() -> forceUnlock("0")).hasMessageContaining("WRONGKIND read-write lock");
        assertThat(scripts.redis().exists(lock)).isOne();
        assertThat(forceUnlock("1")).isEqualTo(1L);
        assertThat(forceUnlock("1")).isEqualTo(0L);
    }

    /** A key that is no hash is deleted. */
    @Test
    void forceUnlock_otherType() {
        for (String message : List.of("0", "1")) {
            scripts.redis().set(lock, "text");
            assertThat(forceUnlock(message)).isEqualTo(1L);
            assertThat(scripts.redis().exists(lock)).isZero();
        }
    }

    private Object forceUnlock() {
        return forceUnlock("0");
    }

    private Object forceUnlock(String message) {
        return scripts.run("force-unlock.lua", List.of(lock), CHANNEL, "PUBLISH", message);
    }
}
