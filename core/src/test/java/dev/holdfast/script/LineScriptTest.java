package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.CHANNEL;
import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OTHER;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Announcements;
import dev.holdfast.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The line of clients: how {@code acquire.lua} gives a place in it, and {@code release.lua} grants the lock to it. */
@Tag("script")
final class LineScriptTest {
    private static final String THIRD = "c3d4:5";

    /** What an attempt of the first in line answers, but for the lease that is left. */
    private static final long FIRST_PLACE = 0;

    private static final Duration CLAIM = Duration.ofSeconds(3);

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();
    private final String channel = CHANNEL + " of " + lock;

    @AutoClose
    private final Announcements toOther = Announcements.on(scripts.server(), channelOf(OTHER));

    @AutoClose
    private final Announcements toThird = Announcements.on(scripts.server(), channelOf(THIRD));

    /** Clients get places in the order in which they ask, and keep them when they ask again. */
    @Test
    void places_inOrder() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        assertThat(place(enlist(OTHER, 2))).isEqualTo(FIRST_PLACE);
        assertThat(place(enlist(THIRD, 3))).isEqualTo(1L);
        assertThat(place(enlist(OTHER, 4))).isEqualTo(FIRST_PLACE);
        assertThat(scripts.hash(lock))
                .containsEntry("line:1", OTHER + " 4 3000 0 label")
                .containsEntry("line:2", THIRD + " 3 3000 0 label")
                .containsEntry("b02c:line", "1");
    }

    /** An attempt that comes late does not replace the newer one of its client. */
    @Test
    void places_late() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 4);
        assertThat(place(enlist(OTHER, 2))).isEqualTo(FIRST_PLACE);
        assertThat(scripts.hash(lock)).containsEntry("line:1", OTHER + " 4 3000 0 label");
    }

    /** A client that would not receive the grant gets no place. */
    @Test
    void places_onlyForListeners() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        assertThat(enlist("d4e5:6", 2)).isInstanceOf(Long.class);
        assertThat(scripts.hash(lock)).doesNotContainKey("line");
    }

    /** Whoever lacks the right to count its listeners is told so, and is answered as without a place. */
    @Test
    void places_withoutTheRight() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        try (var mute = scripts.connectAs("countless", "+@all", "~*", "&*", "-pubsub")) {
            Object answer = scripts.runOver(mute, "acquire.lua", List.of(lock), enlisting(OTHER, 2));
            assertThat(((List<?>) answer).get(1).toString()).containsAnyOf("user executing", "ACL failure");
        }
        assertThat(scripts.hash(lock)).doesNotContainKey("line");
    }

    /** A client that may not set an expiry could not renew what it is granted: it gets no place. */
    @Test
    void places_withoutTheRightToExpire() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        try (var endless = scripts.connectAs("endless", "+@all", "~*", "&*", "-pexpire")) {
            Object answer = scripts.runOver(endless, "acquire.lua", List.of(lock), enlisting(OTHER, 2));
            assertThat(((List<?>) answer).get(1).toString()).containsAnyOf("user executing", "ACL failure");
        }
        assertThat(scripts.hash(lock)).doesNotContainKey("line");
        assertThat(scripts.left(lock)).isPositive().isLessThanOrEqualTo(LEASE);
    }

    /** Whoever opens a line says when, for clients whose line was lost; not to itself alone, and not in an open line. */
    @Test
    void opening_isTold() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        try (Announcements alone = Announcements.on(scripts.server(), channel + ":line")) {
            enlist(OTHER, 2);
            release(OTHER, 2);
            scripts.redis().hdel(lock, "line");
            try (Announcements more = Announcements.on(scripts.server(), channel + ":line")) {
                Object opened = ((List<?>) enlist(OTHER, 3)).get(2);
                enlist(THIRD, 4);
                assertThat(more.untilEnd()).containsExactly("opened " + opened);
            }
            assertThat(alone.untilEnd()).hasSize(1);
        }
    }

    /** A client that may not publish that joins the line all the same. */
    @Test
    void opening_withoutTheRight() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        try (Announcements one = Announcements.on(scripts.server(), channel + ":line");
                Announcements more = Announcements.on(scripts.server(), channel + ":line");
                var mute = scripts.connectAs("mute", "+@all", "~*", "&*", "-publish")) {
            assertThat(place(scripts.runOver(mute, "acquire.lua", List.of(lock), enlisting(OTHER, 2))))
                    .isEqualTo(FIRST_PLACE);
            assertThat(one.untilEnd()).isEqualTo(more.untilEnd()).isEmpty();
        }
    }

    /** A free lock is acquired by the same command, and no line is begun. */
    @Test
    void free_isAcquired() {
        assertThat(enlist(OTHER, 2)).isEqualTo(2L);
        assertThat(scripts.hash(lock)).doesNotContainKey("line");
    }

    /** A release grants the lock to the first in line for the claim, and notifies it alone. */
    @Test
    void release_grants() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        enlist(THIRD, 3);
        assertThat(release(OWNER, 1)).isEqualTo(List.of(1L, 1L, -1L));
        assertThat(scripts.hash(lock))
                .containsEntry(OTHER, "1")
                .containsEntry(OTHER + ":tenure", "2")
                .containsEntry("b02c:label", "label")
                .doesNotContainKeys(OWNER, OWNER + ":tenure", "line:1", "b02c:line");
        assertThat(scripts.left(lock)).isPositive().isLessThanOrEqualTo(CLAIM);
        assertThat(toOther.untilEnd()).singleElement().asString().matches(OTHER + " 2 \\d{16}");
    }

    /** The first of the other clients in line that listens watches over the lease of the grant. */
    @ParameterizedTest
    @ValueSource(strings = {"e5f6:7", THIRD})
    void release_isWatched(String next) {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        try (Announcements toLast = Announcements.on(scripts.server(), channelOf("f6a7:8"))) {
            if (!next.equals(THIRD)) {
                try (Announcements toNext = Announcements.on(scripts.server(), channelOf(next))) {
                    enlist(next, 3);
                    assertThat(toNext.untilEnd()).isEmpty();
                }
                Patience.await().until(() -> isDeaf(next));
            }
            enlist(THIRD, 4);
            enlist("f6a7:8", 5);
            release(OWNER, 1);
            assertThat(toLast.untilEnd()).isEmpty();
        }
        assertThat(toOther.untilEnd()).singleElement().asString().startsWith(OTHER);
        assertThat(toThird.untilEnd()).containsExactly("watch " + CLAIM.toMillis());
    }

    /** The next attempt of its owner adopts the grant; a late release of the granted tenure does not end it. */
    @Test
    void granted_isAdopted() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        release(OWNER, 1);
        assertThat(enlist(OTHER, 3)).isEqualTo(3L);
        assertThat(release(OTHER, 2)).isEqualTo(3L);
        assertThat(scripts.hash(lock)).containsEntry(OTHER + ":tenure", "3");
        assertThat(scripts.left(lock)).isGreaterThan(CLAIM);
    }

    /** The last grant leaves an empty line; the release of its holder deletes the key and notifies everybody. */
    @Test
    void line_ends() {
        try (Announcements everybody = Announcements.on(scripts.server(), channel)) {
            scripts.acquire(lock, OWNER, 1, 1, LEASE);
            enlist(OTHER, 2);
            release(OWNER, 1);
            assertThat(release(OTHER, 2)).isEqualTo(List.of(2L, 1L));
            assertThat(scripts.redis().exists(lock)).isZero();
            assertThat(everybody.untilEnd()).containsExactly("0");
        }
    }

    /** A client that has stopped to listen is passed over. */
    @Test
    void release_passesOverTheDeaf() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        enlist(THIRD, 3);
        toOther.close();
        Patience.await().until(() -> isDeaf(OTHER));
        assertThat(release(OWNER, 1)).isEqualTo(List.of(1L, 1L, -1L));
        assertThat(scripts.hash(lock)).containsEntry(THIRD, "1").doesNotContainKeys(OTHER, OTHER + ":tenure", OWNER);
    }

    /** If nobody listens any more, the lock is free. */
    @Test
    void release_allAreDeaf() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        toOther.close();
        Patience.await().until(() -> isDeaf(OTHER));
        assertThat(release(OWNER, 1)).isEqualTo(1L);
        assertThat(scripts.redis().exists(lock)).isZero();
    }

    /** A release that comes twice, or late, does not take the lock from the client that it was granted to. */
    @Test
    void release_twice() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        release(OWNER, 1);
        assertThat((Long) release(OWNER, 1)).isNegative();
        assertThat(scripts.hash(lock)).containsEntry(OTHER, "1");
    }

    /** The release of a tenure that waits in line gives up its place, but not that of a newer one. */
    @Test
    void release_leavesTheLine() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 4);
        assertThat((Long) release(OTHER, 3)).isNegative();
        assertThat(scripts.hash(lock)).containsKey("line:1");
        assertThat((Long) release(OTHER, 4)).isNegative();
        assertThat(scripts.hash(lock)).doesNotContainKeys("line:1", "b02c:line");
        enlist(THIRD, 5);
        assertThat(release(OWNER, 1)).isEqualTo(List.of(1L, 1L, -1L));
        assertThat(scripts.hash(lock)).containsEntry(THIRD, "1");
    }

    /** When the first in line leaves it, the next one watches over the lease; nobody does when another one leaves. */
    @Test
    void release_leavesTheWatch() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        enlist(THIRD, 3);
        release(THIRD, 3);
        enlist(THIRD, 4);
        assertThat(toOther.untilEnd()).isEmpty();
        release(OTHER, 2);
        assertThat(toThird.untilEnd()).singleElement().asString().matches("watch (5\\d{4}|60000)");
    }

    /** The release of a granted tenure that nobody wants any more grants the lock to the next. */
    @Test
    void release_declines() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        enlist(THIRD, 3);
        release(OWNER, 1);
        assertThat(release(OTHER, 2)).isEqualTo(List.of(2L, 1L, -1L));
        List<String> messages = toThird.untilEnd();
        assertThat(messages).hasSize(2).first().isEqualTo("watch " + CLAIM.toMillis());
        assertThat(messages.get(1)).startsWith(THIRD + " 3 ");
    }

    /** A client that releases the lock gives up an older place of another of its owners. */
    @Test
    void release_givesUpAnOlderPlace() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        enlist(THIRD, 3);
        scripts.handoff(lock, "b02c:18", 4, LEASE, OWNER, 1);
        assertThat(release("b02c:18", 4)).isEqualTo(List.of(4L, 1L, -1L));
        assertThat(scripts.hash(lock)).containsEntry(THIRD, "1").doesNotContainKeys("b02c:line", "line:1");
    }

    /** Once each client in line has had its turn, the lock is left free for others that listen. */
    @Test
    void others_haveTheirTurn() {
        try (Announcements everybody = Announcements.on(scripts.server(), channel);
                Announcements line = Announcements.on(scripts.server(), channel + ":line")) {
            toOther.untilEnd();
            scripts.acquire(lock, OWNER, 1, 1, LEASE);
            enlist(OTHER, 2);
            enlist(THIRD, 3);
            scripts.redis().hset(lock, "line", "1 2 2 2 0");
            // One listens to the line as well, and so is no other.
            assertThat(release(OWNER, 1)).isEqualTo(List.of(1L, 1L, -1L));
            try (Announcements other = Announcements.on(scripts.server(), channel)) {
                List<?> answer = (List<?>) release(OTHER, 2);
                assertThat(answer.subList(0, 3)).isEqualTo(List.of(2L, 2L, 1L));
                assertThat(line.untilEnd()).containsExactly("1 " + answer.get(3));
                assertThat(scripts.redis().exists(lock)).isZero();
                assertThat(other.untilEnd()).containsExactly("0");
            }
            assertThat(everybody.untilEnd()).contains("0");
        }
    }

    /** Those that only try, and do not listen, find the lock free after 16 grants and a second. */
    @Test
    void pollers_haveTheirTurn() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        scripts.redis().hset(lock, "line", "1 1 1 15 0");
        assertThat(release(OWNER, 1)).isEqualTo(List.of(1L, 1L, -1L));
        enlist(THIRD, 3);
        assertThat(((List<?>) release(OTHER, 2)).subList(0, 3)).isEqualTo(List.of(2L, 0L, 0L));
        assertThat(scripts.redis().exists(lock)).isZero();
    }

    /**
     * In a crowd, they do so once each client in line has had four turns, or after 2.5 s: whenever the lock is left free,
     * each client sends a script to join the line again.
     *
     * @param since the milliseconds since it was last left free
     */
    @ParameterizedTest
    @CsvSource({"1500, 19, false", "1500, 20, true", "2400, 19, false", "2600, 19, true", "900, 100, false"})
    void pollers_inACrowd(long since, int grants, boolean isLeftFree) {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        long opened = System.currentTimeMillis() * 1000 - since * 1000;
        scripts.redis().hset(lock, "line", "1 5 5 " + grants + " " + opened);
        Object next = ((List<?>) release(OWNER, 1)).get(2);
        assertThat(next).isEqualTo(isLeftFree ? 0L : -1L);
    }

    /** Without memory there are no more places; those that exist are granted. */
    @Test
    void noMemory() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        scripts.server().command("CONFIG", "SET", "maxmemory", "1");
        try {
            assertThat(((List<?>) enlist(THIRD, 3)).get(1).toString()).contains("OOM command not allowed");
            assertThat(release(OWNER, 1)).isEqualTo(List.of(1L, 1L, -1L));
            assertThat(scripts.hash(lock)).containsEntry(OTHER, "1");
        } finally {
            scripts.server().command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    /** A client that may not remove its place leaves it, and the line is as usable for others as before. */
    @Test
    void leaver_withoutTheRight() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        try (var bound = scripts.connectAs("bound", "+@all", "~*", "&*", "-hdel")) {
            for (int twice = 0; twice < 2; twice++) {
                scripts.runOver(bound, "release.lua", List.of(lock), releasing(OTHER, 2));
            }
        }
        assertThat(place(enlist(THIRD, 3))).isEqualTo(1L);
        assertThat(release(OWNER, 1)).isEqualTo(List.of(1L, 1L, -1L));
        assertThat(scripts.hash(lock)).containsEntry(OTHER, "1");
    }

    /** A releaser that lacks a right for the line releases the lock as if there were none. */
    @ParameterizedTest
    @ValueSource(strings = {"-hdel", "-time", "-pexpire"})
    void releaser_withoutTheRight(String right) {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        try (Announcements everybody = Announcements.on(scripts.server(), channel);
                var bound = scripts.connectAs("bound", "+@all", "~*", "&*", right)) {
            scripts.runOver(bound, "release.lua", List.of(lock), releasing(OWNER, 1));
            assertThat(everybody.untilEnd()).containsExactly("0");
        }
        assertThat(scripts.redis().exists(lock)).isZero();
    }

    /**
     * A releaser that may not notify the clients in line grants the lock to none of them. It tries the first one only:
     * the line may be long, and the others would be refused too.
     */
    @Test
    void releaser_mayNotNotify() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        enlist(THIRD, 3);
        // Rules contain no spaces.
        String released = "&" + channel.replace(' ', '?');
        try (Announcements everybody = Announcements.on(scripts.server(), channel);
                var bound = scripts.connectAs("quiet", "+@all", "~*", "resetchannels", released)) {
            scripts.server().command("CONFIG", "RESETSTAT");
            scripts.runOver(bound, "release.lua", List.of(lock), releasing(OWNER, 1));
            assertThat(String.valueOf(scripts.server().command("INFO", "commandstats")))
                    .contains("cmdstat_hset:calls=1,");
            assertThat(everybody.untilEnd()).containsExactly("0");
        }
        assertThat(scripts.redis().exists(lock)).isZero();
        assertThat(toOther.untilEnd()).isEmpty();
        assertThat(toThird.untilEnd()).isEmpty();
    }

    /** What another program has written into the fields of the line does not keep the lock from being released. */
    @ParameterizedTest
    @CsvSource({"line, 1", "line:1, x", "line, 1 1 -1 0 0"})
    void line_isMalformed(String field, String value) {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        scripts.redis().hset(lock, field, value);
        enlist(THIRD, 3);
        scripts.redis().hdel(lock, "line:2");
        enlist(THIRD, 4);
        release(OWNER, 1);
        assertThat(scripts.hash(lock)).doesNotContainKey(OWNER);
    }

    /** The places of clients that have left are used again, and do not count as clients that wait. */
    @Test
    void places_areUsedAgain() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        for (int tenure = 3; tenure < 200; tenure++) {
            assertThat(place(enlist(THIRD, tenure))).isEqualTo(1L);
            release(THIRD, tenure);
        }
        enlist(THIRD, 200);
        String line = scripts.hash(lock).getOrDefault("line", "");
        int last = Integer.parseInt(line.replaceAll("^\\d+ (\\d+) .*", "$1"));
        assertThat(last).isLessThan(25);
        assertThat(release(OWNER, 1)).isEqualTo(List.of(1L, 1L, -1L));
        assertThat(release(OTHER, 2)).isEqualTo(List.of(2L, 1L, -1L));
        assertThat(toThird.untilEnd()).last().asString().startsWith(THIRD + " 200 ");
    }

    /**
     * A lease of which no millisecond is left ends: the client that joins the line at that moment, and moves the others
     * up, leaves no key without an expiry.
     */
    @Test
    void places_atTheEndOfTheLease() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        scripts.redis().hset(lock, "line", "1 40 1 0 0");
        Object answer = scripts.runAtTheEndOfTheLease("acquire.lua", List.of(lock), enlisting(THIRD, 3));
        assertThat(scripts.redis().pttl(lock)).isNotEqualTo(-1);
        assertThat(place(answer)).isEqualTo(1L);
    }

    /** A program that listens to all channels does not make a client seem to listen. */
    @Test
    void release_patternsDoNotCount() {
        scripts.acquire(lock, OWNER, 1, 1, LEASE);
        enlist(OTHER, 2);
        enlist(THIRD, 3);
        toOther.close();
        Patience.await().until(() -> isDeaf(OTHER));
        try (var monitor = scripts.connectToAll()) {
            assertThat(monitor.isOpen()).isTrue();
            assertThat(release(OWNER, 1)).isEqualTo(List.of(1L, 2L, -1L));
        }
        assertThat(scripts.hash(lock)).containsEntry(THIRD, "1");
    }

    /** A key without an expiry is no lock of ours, and nothing is added to it. */
    @Test
    void endless_hasNoLine() {
        scripts.redis().hset(lock, "job", "1");
        assertThat(enlist(OTHER, 2)).isEqualTo(RawScripts.ENDLESS);
        assertThat(scripts.hash(lock)).containsOnlyKeys("job");
    }

    private String channelOf(String owner) {
        return channel + ":" + owner.substring(0, owner.indexOf(':'));
    }

    private boolean isDeaf(String owner) {
        return Objects.equals(0L, scripts.redis().pubsubNumsub(channelOf(owner)).get(channelOf(owner)));
    }

    private Object[] enlisting(String owner, long tenure) {
        return new Object[] {owner, tenure, 1, LEASE.toMillis(), "label", CLAIM.toMillis(), channel};
    }

    private Object enlist(String owner, long tenure) {
        return scripts.run("acquire.lua", List.of(lock), enlisting(owner, tenure));
    }

    private static Object place(Object answer) {
        return ((List<?>) answer).get(1);
    }

    private Object[] releasing(String owner, long tenure) {
        return new Object[] {owner, tenure, 0, channel, "PUBLISH"};
    }

    private Object release(String owner, long tenure) {
        return scripts.run("release.lua", List.of(lock), releasing(owner, tenure));
    }
}
