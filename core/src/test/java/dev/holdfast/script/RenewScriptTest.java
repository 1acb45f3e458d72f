package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.ENDLESS;
import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OTHER;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each reply of {@code renew.lua}, and the state of the keys after it. */
@Tag("script")
final class RenewScriptTest {
    private static final Duration LONGER = LEASE.multipliedBy(2);

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();

    /** A hold's lease becomes as long as requested. */
    @Test
    void renew_held() {
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        assertThat(scripts.renew(lock, OWNER, 3, LONGER)).isEqualTo(3L);
        assertThat(scripts.left(lock)).isGreaterThan(LEASE);
    }

    /** A lease never gets shorter. */
    @Test
    void renew_leaseNeverShrinks() {
        scripts.acquire(lock, OWNER, 3, 1, LONGER);
        assertThat(scripts.renew(lock, OWNER, 3, LEASE)).isEqualTo(3L);
        assertThat(scripts.left(lock)).isGreaterThan(LEASE);
    }

    /** A late renewal finds a newer tenure of its owner, returns it and does not extend it. */
    @Test
    void renew_newerTenure() {
        scripts.acquire(lock, OWNER, 4, 1, LEASE);
        assertThat(scripts.renew(lock, OWNER, 3, LONGER)).isEqualTo(4L);
        assertThat(scripts.left(lock)).isLessThanOrEqualTo(LEASE);
    }

    /** An older tenure of the owner is not renewed. */
    @Test
    void renew_olderTenure() {
        scripts.acquire(lock, OWNER, 2, 1, LEASE);
        assertThat(scripts.renew(lock, OWNER, 3, LONGER)).isEqualTo(0L);
        assertThat(scripts.left(lock)).isLessThanOrEqualTo(LEASE);
    }

    /** Another owner's lease is not extended, and the reply is what is left of it. */
    @Test
    void renew_ofAnother() {
        scripts.acquire(lock, OTHER, 3, 1, LEASE);
        assertThat((Long) scripts.renew(lock, OWNER, 3, LONGER)).isBetween(-LEASE.toMillis(), -1L);
        assertThat(scripts.left(lock)).isLessThanOrEqualTo(LEASE);
        scripts.redis().persist(lock);
        assertThat(scripts.renew(lock, OWNER, 3, LONGER)).isEqualTo(ENDLESS);
    }

    /** A renewal never creates a hold. */
    @Test
    void renew_free() {
        assertThat(scripts.renew(lock, OWNER, 3, LEASE)).isEqualTo(0L);
        assertThat(scripts.redis().exists(lock)).isZero();
    }

    /**
     * Each of many holds has a reply of its own, and a key of another type does not affect the replies about the
     * others.
     */
    @Test
    void renew_many() {
        String poisoned = scripts.newLock();
        String taken = scripts.newLock();
        scripts.acquire(lock, OWNER, 3, 1, LEASE);
        scripts.redis().set(poisoned, "no lock", SetArgs.Builder.px(LEASE));
        scripts.acquire(taken, OWNER, 4, 1, LEASE);
        long lease = LONGER.toMillis();
        Object reply = scripts.run(
                "renew.lua", List.of(poisoned, lock, taken), OWNER, 2, lease, OWNER, 3, lease, OWNER, 4, lease);
        assertThat(reply)
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(3)
                .endsWith(3L, 4L);
        assertThat(reply.toString()).contains("WRONGTYPE");
        assertThat(scripts.left(lock)).isGreaterThan(LEASE);
        assertThat(scripts.left(taken)).isGreaterThan(LEASE);
    }
}
