package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ListAssert;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each reply of {@code inspect.lua}, which changes nothing. */
@Tag("script")
final class InspectScriptTest {
    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();

    /** For a held lock the reply is the rest of its lease and all of its fields. */
    @Test
    void inspect_held() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        scripts.acquire(lock, OWNER, 3, 2, LEASE);
        inspected().hasSize(5).endsWith(OWNER, "2", OWNER + ":tenure", "3");
        inspected().first().asInstanceOf(InstanceOfAssertFactories.LONG).isBetween(1L, LEASE.toMillis());
    }

    /** For a lock without expiry the reply has no end. */
    @Test
    void inspect_withoutEnd() {
        scripts.redis().hset(lock, OWNER, "1");
        inspected().containsExactly(-1L, OWNER, "1");
        scripts.redis().del(lock);
    }

    /** For a free lock the reply is empty. */
    @Test
    void inspect_free() {
        assertThat(inspect()).isEqualTo(-2L);
    }

    private ListAssert<Object> inspected() {
        return assertThat(inspect()).asInstanceOf(InstanceOfAssertFactories.LIST);
    }

    private Object inspect() {
        return scripts.run("inspect.lua", List.of(lock));
    }
}
