package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each reply of {@code rw-settle.lua}, and the state of the lock after it. */
@Tag("script")
final class ReadSettleScriptTest {
    private static final String RELEASED = "6f8e:-4";
    private static final String PRESENT = "6f8e:-8";
    private static final String OTHERS = "b02c:-4";

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();

    private void read(String owner, long tenure, long leaseMillis) {
        scripts.run("rw-acquire.lua", List.of(lock), owner, tenure, 1, leaseMillis, "read");
    }

    private Object settle(String owner, long tenure, Object... released) {
        Object[] arguments = new Object[4 + released.length];
        arguments[0] = owner;
        arguments[1] = tenure;
        arguments[2] = LEASE.toMillis();
        arguments[3] = "a label";
        System.arraycopy(released, 0, arguments, 4, released.length);
        return scripts.run("rw-settle.lua", List.of(lock), arguments);
    }

    /** The released hold is replaced, with the lease of the present one; the other readers stay as they are. */
    @Test
    void settle_releasedIsThere() {
        read(RELEASED, 5, 60_000);
        read(OTHERS, 3, 60_000);
        assertThat(settle(PRESENT, 7, "6f8e:-12", 6, RELEASED, 5)).isEqualTo(7L);
        Map<String, String> hash = scripts.hash(lock);
        assertThat(hash)
                .containsEntry(PRESENT, "1")
                .containsEntry(PRESENT + ":tenure", "7")
                .containsEntry(OTHERS, "1")
                .doesNotContainKeys(RELEASED, RELEASED + ":tenure", RELEASED + ":until");
        assertThat(hash.get(PRESENT + ":until")).endsWith(" a label");
        assertThat(hash.get("readers")).startsWith("0 2 ");
        assertThat(scripts.left(lock)).isGreaterThan(LEASE.minusSeconds(30));
        assertThat(settle(PRESENT, 7, RELEASED, 5)).as("once more").isEqualTo(7L);
        assertThat(scripts.hash(lock)).isEqualTo(hash);
    }

    /** A key that lives for longer is not shortened, and the earliest end of the readers is known. */
    @Test
    void settle_shorterLease() {
        read(RELEASED, 5, LEASE.toMillis() * 10);
        assertThat(settle(PRESENT, 7, RELEASED, 5)).isEqualTo(7L);
        assertThat(scripts.left(lock)).isGreaterThan(LEASE.multipliedBy(9));
        Map<String, String> hash = scripts.hash(lock);
        assertThat(hash.get(PRESENT + ":until"))
                .isNotNull()
                .isEqualTo(String.valueOf(hash.get("readers")).substring(4) + " a label");
    }

    /** Nothing is changed where no released hold is left: neither a free lock, nor one that only others have. */
    @Test
    void settle_nothingReleased() {
        assertThat(settle(PRESENT, 7, RELEASED, 5)).isEqualTo(0L);
        read(OTHERS, 3, 60_000);
        read(RELEASED, 6, 60_000);
        Map<String, String> hash = scripts.hash(lock);
        assertThat(settle(PRESENT, 7, RELEASED, 5))
                .as("a newer one")
                .isInstanceOfSatisfying(Long.class, left -> assertThat(left).isBetween(-60_000L, -1L));
        assertThat(settle(RELEASED, 4, OTHERS, 1)).as("late").isEqualTo(6L);
        assertThat(scripts.hash(lock)).isEqualTo(hash);
    }

    /** A writer is not replaced. */
    @Test
    void settle_writer() {
        scripts.run("rw-acquire.lua", List.of(lock), OWNER, 5, 1, 60_000, "write");
        Map<String, String> hash = scripts.hash(lock);
        assertThat(settle(PRESENT, 7, OWNER, 5))
                .isInstanceOfSatisfying(Long.class, left -> assertThat(left).isNegative());
        assertThat(scripts.hash(lock)).isEqualTo(hash);
    }
}
