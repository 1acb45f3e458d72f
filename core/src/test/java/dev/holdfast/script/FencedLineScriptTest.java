package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.CHANNEL;
import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OTHER;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Announcements;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The line of clients for a fenced lock: whether {@code release.lua} draws the token of the hold that it grants. */
@Tag("script")
final class FencedLineScriptTest {
    private static final String CLAIM_MILLIS = "3000";

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();
    private final String tokens = RawScripts.tokens(lock);
    private final String channel = CHANNEL + " of " + lock;

    @AutoClose
    private final Announcements toOther = Announcements.on(scripts.server(), channel + ":b02c");

    /** The message names the token that the new hold has, which is larger than the one before. */
    @Test
    void token_isDrawn() {
        long before = TokenState.tokenIn(scripts.acquireFenced(lock, OWNER, 1, 1, LEASE));
        enlist(List.of(lock, tokens));

        assertThat(release(List.of(lock, tokens), 1)).isEqualTo(List.of(1L, 1L, -1L));

        String token = scripts.hash(lock).getOrDefault(OTHER + ":token", "0");
        assertThat(Long.parseLong(token)).isGreaterThan(before);
        assertThat(scripts.redis().get(tokens)).isEqualTo(token);
        assertThat(toOther.untilEnd()).singleElement().asString().matches(OTHER + " 2 \\d{16} " + token);
    }

    /** A release that is executed twice draws one token. */
    @Test
    void token_twice() {
        scripts.acquireFenced(lock, OWNER, 1, 1, LEASE);
        enlist(List.of(lock, tokens));
        release(List.of(lock, tokens), 1);
        String drawn = scripts.redis().get(tokens);

        release(List.of(lock, tokens), 1);

        assertThat(scripts.redis().get(tokens)).isEqualTo(drawn);
        assertThat(scripts.hash(lock)).containsEntry(OTHER + ":token", drawn);
    }

    /** A release that does not know the tokens grants the lock without one; the attempt of the new owner draws it. */
    @Test
    void token_ofPlainRelease() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(List.of(lock, tokens));

        release(List.of(lock), 1);

        assertThat(scripts.hash(lock)).containsEntry(OTHER, "1").doesNotContainKey(OTHER + ":token");
        assertThat(toOther.untilEnd()).singleElement().asString().matches(OTHER + " 2 \\d{16}");
        assertThat(TokenState.tokenIn(scripts.acquireFenced(lock, OTHER, 3, 1, LEASE)))
                .isPositive();
    }

    /** A plain hold has no token, whoever releases the lock before. */
    @Test
    void token_ofPlainWaiter() {
        scripts.acquireFenced(lock, OWNER, 1, 1, LEASE);
        String before = scripts.redis().get(tokens);
        enlist(List.of(lock));

        release(List.of(lock, tokens), 1);

        assertThat(scripts.redis().get(tokens)).isEqualTo(before);
        assertThat(scripts.hash(lock)).containsEntry(OTHER, "1").doesNotContainKey(OTHER + ":token");
    }

    /** What cannot be drawn delays no grant: the attempt of the new owner is refused, with the reason. */
    @ParameterizedTest
    @ValueSource(strings = {"not a token", "9223372036854775807"})
    void token_cannotBeDrawn(String last) {
        scripts.acquireFenced(lock, OWNER, 1, 1, LEASE);
        enlist(List.of(lock, tokens));
        scripts.redis().set(tokens, last);

        assertThat(release(List.of(lock, tokens), 1)).isEqualTo(List.of(1L, 1L, -1L));

        assertThat(scripts.hash(lock)).containsEntry(OTHER, "1").doesNotContainKey(OTHER + ":token");
        assertThat(toOther.untilEnd()).singleElement().asString().matches(OTHER + " 2 \\d{16}");
        assertThat(scripts.redis().get(tokens)).isEqualTo(last);
    }

    private void enlist(List<String> keys) {
        scripts.run("acquire.lua", keys, OTHER, 2, 1, LEASE.toMillis(), "label", CLAIM_MILLIS, channel);
    }

    private Object release(List<String> keys, long tenure) {
        return scripts.run("release.lua", keys, OWNER, tenure, 0, channel, "PUBLISH");
    }
}
