package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.ENDLESS;
import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OTHER;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.SetArgs;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each reply of {@code verify.lua}, which changes nothing. */
@Tag("script")
final class VerifyScriptTest {
    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();

    /** A hold is confirmed, and its lease is unchanged. */
    @Test
    void verify_held() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        assertThat(scripts.verify(lock, OWNER, 3)).isEqualTo(3L);
        assertThat(scripts.hash(lock)).isEqualTo(Map.of(OWNER, "1", OWNER + ":tenure", "3"));
        assertThat(scripts.left(lock)).isLessThanOrEqualTo(LEASE);
    }

    /** A newer tenure of the same owner is returned; an older one is not the hold in question. */
    @Test
    void verify_otherTenure() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        assertThat(scripts.verify(lock, OWNER, 2)).isEqualTo(3L);
        assertThat(scripts.verify(lock, OWNER, 4)).isEqualTo(0L);
    }

    /** For another owner's lock the reply is what is left of its lease. */
    @Test
    void verify_ofAnother() {
        scripts.acquire(lock, OTHER, 3, 1, LEASE);
        assertThat((Long) scripts.verify(lock, OWNER, 3)).isBetween(-LEASE.toMillis(), -1L);
        scripts.redis().persist(lock);
        assertThat(scripts.verify(lock, OWNER, 3)).isEqualTo(ENDLESS);
    }

    /** For a free lock the reply is that it has no owner. */
    @Test
    void verify_free() {
        assertThat(scripts.verify(lock, OWNER, 3)).isEqualTo(0L);
        assertThat(scripts.redis().exists(lock)).isZero();
    }

    /**
     * Each of many holds has a reply of its own, and a key of another type does not affect the replies about the
     * others.
     */
    @Test
    void verify_many() {
        String poisoned = scripts.newLock();
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        scripts.redis().set(poisoned, "no lock", SetArgs.Builder.px(LEASE));
        Object reply = scripts.run("verify.lua", List.of(poisoned, lock), OWNER, 2, OWNER, 3);
        assertThat(reply)
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(2)
                .endsWith(3L);
        assertThat(reply.toString()).contains("WRONGTYPE");
    }
}
