package dev.holdfast.internal.failover;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.PlainKind;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.view.Unconnected;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which home is told of which token. */
@Tag("pure")
final class KnownTokensTest {
    @AutoClose
    private final Unconnected parts = new Unconnected();

    @AutoClose
    private final Unconnected others = new Unconnected();

    private final Home home = parts.hold(-2).lane().home();
    private final Home other = others.hold(-2).lane().home();
    private final LockKey lock = new LockKey(new PlainKind(), "orders:42", "");
    private final KnownTokens tokens = new KnownTokens();

    /** The home that has drawn the largest token knows it, and no other home does. */
    @Test
    void unknownTo_anotherHome() {
        assertThat(tokens.unknownTo(home, lock)).isZero();
        tokens.drawn(lock, 7, home);
        assertThat(tokens.unknownTo(home, lock)).isZero();
        assertThat(tokens.unknownTo(other, lock)).isEqualTo(7);
        tokens.drawn(lock, 7, other);
        assertThat(tokens.unknownTo(other, lock)).isZero();
        assertThat(tokens.unknownTo(home, lock)).isEqualTo(7);
    }

    /** A smaller token that another home draws is no news. */
    @Test
    void drawn_smaller() {
        tokens.drawn(lock, 7, home);
        tokens.drawn(lock, 6, other);
        assertThat(tokens.unknownTo(other, lock)).isEqualTo(7);
        assertThat(tokens.unknownTo(home, lock)).isZero();
    }

    /** When a lock has moved, no home is known to know its token, not even the one that it comes back to. */
    @Test
    void moved_andBack() {
        LockKey stays = new LockKey(new PlainKind(), "orders:43", "");
        tokens.drawn(lock, 7, home);
        tokens.drawn(stays, 8, home);
        tokens.moved(lock::equals);
        assertThat(tokens.unknownTo(home, lock)).isEqualTo(7);
        assertThat(tokens.unknownTo(home, stays)).isZero();
    }

    /** The lock that drew a token longest ago is forgotten. */
    @Test
    void drawn_mostKept() {
        tokens.drawn(lock, 7, home);
        for (int i = 0; i < KnownTokens.MOST_KEPT; i++) {
            tokens.drawn(new LockKey(new PlainKind(), "another:" + i, ""), 8, home);
        }
        assertThat(tokens.unknownTo(other, lock)).isZero();
        assertThat(tokens.unknownTo(other, new LockKey(new PlainKind(), "another:0", "")))
                .isEqualTo(8);
    }
}
