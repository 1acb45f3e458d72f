package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Announcements;
import dev.holdfast.Patience;
import io.lettuce.core.RedisCommandExecutionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The scripts of the semaphore, on the clock and the channels of a real server. */
@Tag("script")
final class SemaphoreScriptTest {
    private static final String A = "a:-1";
    private static final String B = "b:-1";
    private static final String C = "c:-1";
    private static final String D = "d:-1";

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();
    private final String channel = "channel of {" + lock + "}";

    @AutoClose
    private final Announcements toB = Announcements.on(scripts.server(), channel + ":b");

    @AutoClose
    private final Announcements toC = Announcements.on(scripts.server(), channel + ":c");

    @AutoClose
    private final Announcements toD = Announcements.on(scripts.server(), channel + ":d");

    @AutoClose
    private final Announcements toLine = Announcements.on(scripts.server(), channel + ":line");

    @AutoClose
    private final Announcements toLineToo = Announcements.on(scripts.server(), channel + ":line");

    @AutoClose
    private final Announcements toAll = Announcements.on(scripts.server(), channel);

    private Object acquire(String owner, long tenure, int permits, int limit) {
        return acquire(owner, tenure, permits, limit, LEASE);
    }

    private Object acquire(String owner, long tenure, int permits, int limit, Duration lease) {
        return scripts.run(
                "sem-acquire.lua",
                List.of(lock),
                owner,
                tenure,
                permits,
                limit,
                lease.toMillis(),
                "a label",
                channel,
                "PUBLISH");
    }

    private Object enlist(String owner, long tenure, int permits, int limit) {
        return scripts.run("sem-acquire.lua", List.of(lock), enlisting(owner, tenure, permits, limit));
    }

    private Object[] enlisting(String owner, long tenure, int permits, int limit) {
        return new Object[] {owner, tenure, permits, limit, LEASE.toMillis(), "a label", channel, "PUBLISH", 30_000};
    }

    private Object release(String owner, long tenure) {
        return scripts.run("sem-release.lua", List.of(lock), owner, tenure, channel, "PUBLISH");
    }

    private Object renew(String owner, long tenure, Duration lease) {
        return scripts.run("sem-renew.lua", List.of(lock), owner, tenure, lease.toMillis());
    }

    /** Closes the first hold of A with a delay, from when on it has tenure 9. */
    private Object closeAfter() {
        return scripts.run("sem-close-after.lua", List.of(lock), A, 1, 9, 30_000, channel, "PUBLISH");
    }

    private static void assertBusy(Object reply) {
        assertThat(reply)
                .isInstanceOfSatisfying(Long.class, left -> assertThat(left).isNegative());
    }

    private static void assertInLine(Object reply, long before) {
        assertThat(reply)
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(3)
                .element(1)
                .isEqualTo(before);
    }

    /** As many permits as the limit are held, each hold with a number of its own, and nothing stays after the last one. */
    @Test
    void permits_areLimited() {
        assertThat(acquire(A, 1, 1, 4)).isEqualTo(List.of(1L, 1L));
        assertThat(acquire(B, 2, 2, 4)).isEqualTo(List.of(2L, 2L));
        assertBusy(acquire(C, 3, 2, 4));
        assertThat(acquire(D, 4, 1, 4)).isEqualTo(List.of(4L, 3L));
        assertBusy(acquire(C, 5, 1, 4));
        assertThat(scripts.left(lock)).isBetween(LEASE.plusSeconds(30), LEASE.plusSeconds(60));
        assertThat(scripts.hash(lock))
                .hasEntrySatisfying("hold:" + B, hold -> assertThat(hold).matches("2 2 2 \\d+ a label"));

        assertThat(release(B, 2)).isEqualTo(List.of(2L, 1L));
        assertThat(acquire(C, 6, 2, 4)).isEqualTo(List.of(6L, 2L));
        release(A, 1);
        release(C, 6);
        assertThat(release(D, 4)).isEqualTo(List.of(4L, 1L));
        assertThat(scripts.redis().exists(lock)).isZero();
        assertThat(toAll.untilEnd()).hasSize(4).containsOnly("0");
    }

    /** The clocks of clients, from which tenures are drawn, may differ by hours: ends and places are those of the server's clock. */
    @Test
    void clocksOfClients_changeNothing() {
        long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
        long ahead = now + TimeUnit.HOURS.toMicros(1);
        long behind = now - TimeUnit.HOURS.toMicros(1);
        acquire(A, ahead, 1, 2);
        acquire(B, behind, 1, 2);
        assertInLine(enlist(C, now, 1, 2), 0);
        assertInLine(enlist(D, behind, 1, 2), 1);
        assertThat(renew(B, behind, LEASE)).isEqualTo(behind);
        release(A, ahead);
        assertThat(toC.untilEnd()).singleElement().asString().matches(C + " " + now + " \\d+ 1");
        Map<String, String> hash = scripts.hash(lock);
        assertThat(hash).containsKeys("hold:" + B, "hold:" + C).doesNotContainKeys("hold:" + A, "hold:" + D);
        for (String owner : List.of(B, C)) {
            long until = Long.parseLong(hash.getOrDefault("hold:" + owner, "").split(" ", -1)[3]);
            assertThat(Duration.ofMillis(until - System.currentTimeMillis())).isBetween(Duration.ZERO, LEASE);
        }
    }

    /** A second or late release changes nothing: the permits of the next holder stay. */
    @Test
    void release_twiceAndLate() {
        acquire(A, 1, 2, 2);
        assertThat(release(A, 1)).isEqualTo(List.of(1L, 1L));
        acquire(B, 2, 1, 2);
        acquire(A, 3, 1, 2);
        var before = scripts.hash(lock);
        assertThat(release(A, 1)).isEqualTo(3L);
        assertThat(release(C, 9)).isEqualTo(0L);
        assertThat(acquire(A, 1, 1, 2)).isEqualTo(3L);
        assertThat(scripts.hash(lock)).isEqualTo(before);
    }

    /** A release grants permits to the first clients in line, as many as fit, and notifies each. */
    @Test
    void line_isServedInOrder() {
        acquire(A, 1, 3, 3);
        assertInLine(enlist(B, 2, 1, 3), 0);
        assertInLine(enlist(C, 3, 1, 3), 1);
        assertInLine(enlist(D, 4, 2, 3), 2);

        assertThat(release(A, 1)).isEqualTo(List.of(1L, 2L, -1L));
        assertThat(toB.untilEnd()).singleElement().asString().matches(B + " 2 \\d+ 1");
        assertThat(toC.untilEnd()).singleElement().asString().matches(C + " 3 \\d+ 2");
        assertThat(toD.untilEnd()).singleElement().asString().isEqualTo("watch 30000");
        assertThat(release(B, 2)).isEqualTo(List.of(2L, 1L, -1L));
        assertThat(toD.untilEnd()).singleElement().asString().matches(D + " 4 \\d+ 1");
        assertThat(toAll.untilEnd()).containsExactly("0");
        for (Announcements line : List.of(toLine, toLineToo)) {
            assertThat(String.join(", ", line.untilEnd())).matches("opened \\d+(, end)?");
        }
    }

    /** Nobody passes a large request: neither those that come later nor those that only try. */
    @Test
    void line_isNotPassed() {
        acquire(A, 1, 1, 3);
        acquire(B, 2, 1, 3);
        assertInLine(enlist(C, 3, 3, 3), 0);
        assertBusy(acquire("e:-1", 4, 1, 3));
        assertInLine(enlist(D, 5, 1, 3), 1);
        assertThat(release(A, 1)).isEqualTo(1L);
        assertBusy(acquire("e:-1", 6, 1, 3));
        assertThat(release(B, 2)).isEqualTo(List.of(2L, 1L, -1L));
        assertThat(scripts.hash(lock)).containsKey("hold:" + C).doesNotContainKey("hold:" + D);
    }

    /** A client that has died or left does not hold up those behind it; one that comes back before has its place again. */
    @Test
    void line_withoutOneOfItsClients() {
        acquire(A, 1, 2, 2);
        enlist(B, 2, 2, 2);
        assertInLine(enlist(C, 3, 1, 2), 1);
        assertInLine(enlist(D, 4, 1, 2), 2);
        assertThat(release(C, 3)).isEqualTo(0L);
        assertInLine(enlist(C, 5, 1, 2), 1);
        toB.close();
        Patience.await()
                .until(() -> scripts.redis().pubsubNumsub(channel + ":b").containsValue(0L));
        assertThat(release(A, 1)).isEqualTo(List.of(1L, 2L, -1L));
        assertThat(scripts.hash(lock)).containsKeys("hold:" + C, "hold:" + D).doesNotContainKey("hold:" + B);
    }

    /** The holders die: the attempt of the first client in line, when the first lease ends, serves all of the line. */
    @Test
    void leases_end() {
        acquire(A, 1, 2, 3, Duration.ofMillis(50));
        acquire("e:-1", 2, 1, 3, Duration.ofMillis(60));
        assertInLine(enlist(B, 3, 2, 3), 0);
        enlist(C, 4, 1, 3);
        enlist(D, 5, 1, 3);
        toC.untilEnd();
        Patience.await().until(() -> enlist(B, 6, 2, 3).equals(List.of(6L, 1L)));
        assertThat(renew(A, 1, LEASE)).isEqualTo(0L);
        assertThat(release(A, 1)).isEqualTo(0L);
        Patience.await().until(() -> {
            enlist(B, 6, 2, 3);
            return scripts.hash(lock).containsKey("hold:" + C);
        });
        assertThat(toC.untilEnd()).last(InstanceOfAssertFactories.STRING).matches(C + " 4 \\d+ \\d");
        assertThat(toD.untilEnd()).last(InstanceOfAssertFactories.STRING).startsWith("watch ");
    }

    /** What is held depends on the limit of each request, and a reply names that of the request before. */
    @Test
    void limits_differ() {
        assertThat(acquire(A, 1, 3, 10)).isEqualTo(List.of(1L, 1L));
        assertBusy(acquire(B, 2, 2, 4));
        assertThat(acquire(B, 3, 1, 4)).isEqualTo(List.of(3L, 2L, 10L));
        assertThat(enlist(C, 4, 1, 4))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(3);
        assertThat(enlist(D, 5, 6, 10))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(4)
                .last()
                .isEqualTo(4L);
        assertThat(release(A, 1)).isEqualTo(List.of(1L, 2L, -1L));
        assertThat(scripts.hash(lock).get("hold:" + C)).startsWith("4 1 1 ");
        assertThat(scripts.hash(lock).get("hold:" + D)).startsWith("5 6 3 ");
    }

    /** An older tenure with as many permits is adopted, with its number and a lease of its own; another one is released. */
    @Test
    void olderTenure_isAdopted() {
        acquire(A, 1, 2, 3);
        assertThat(acquire(A, 2, 2, 3, Duration.ofSeconds(20))).isEqualTo(List.of(2L, 1L));
        assertThat(renew(A, 2, Duration.ZERO)).isEqualTo(2L);
        assertThat(renew(A, 1, LEASE)).isEqualTo(2L);
        assertThat(acquire(A, 3, 3, 3)).isEqualTo(List.of(3L, 1L));
        assertThat(scripts.hash(lock)).hasSize(2).hasEntrySatisfying("hold:" + A, hold -> assertThat(hold)
                .startsWith("3 3 1 "));
    }

    /** A hold that is closed with a delay keeps its permits until then, whatever else comes for it. */
    @Test
    void close_isDelayed() {
        acquire(A, 1, 2, 2);
        assertThat(closeAfter()).isEqualTo(1L);
        var after = scripts.hash(lock);
        assertThat(after.get("hold:" + A)).startsWith("9 2 1 ");
        assertThat(release(A, 1)).isEqualTo(9L);
        assertThat(renew(A, 1, LEASE)).isEqualTo(9L);
        assertBusy(acquire(B, 2, 1, 2));
        assertThat(scripts.hash(lock)).isEqualTo(after);
        assertThat(toAll.untilEnd()).containsExactly("0");
    }

    /** One command renews all holds of a client, of several semaphores; an unreadable key does not affect the others. */
    @Test
    void renewal_ofMany() {
        int many = 500;
        String other = scripts.newLock();
        scripts.redis().set(other, "no hash");
        for (int i = 1; i <= many; i++) {
            acquire("a:-" + i, i, 1, many);
        }
        List<String> keys = new ArrayList<>(Collections.nCopies(many, lock));
        keys.add(other);
        List<Object> words = new ArrayList<>();
        for (int i = 1; i <= many + 1; i++) {
            words.addAll(List.of("a:-" + i, i, 3 * LEASE.toMillis()));
        }
        List<?> answers = (List<?>) scripts.run("sem-renew.lua", keys, words.toArray());
        assertThat(answers.subList(0, many).stream().map(Object::toString))
                .containsExactlyElementsOf(
                        IntStream.rangeClosed(1, many).mapToObj(String::valueOf).toList());
        assertThat(answers.get(many).toString()).startsWith("WRONGTYPE");
        assertThat(scripts.left(lock)).isGreaterThan(LEASE.multipliedBy(3).plusSeconds(25));
    }

    /** All entries are shown, with the time that their ends are compared with. */
    @Test
    void inspect_showsAll() {
        acquire(A, 1, 2, 3);
        List<?> seen = (List<?>) scripts.run("sem-inspect.lua", List.of(lock));
        assertThat(seen).hasSize(5).element(0).isInstanceOfSatisfying(Long.class, now -> assertThat(Long.parseLong(
                                scripts.hash(lock).getOrDefault("hold:" + A, "").split(" ", -1)[3])
                        - now)
                .isBetween(0L, LEASE.toMillis()));
        assertThat(scripts.run("sem-inspect.lua", List.of(scripts.newLock()))).isInstanceOf(Long.class);
    }

    /** A forced unlock releases all holds and ends the line; holders find theirs gone. */
    @Test
    void forcedUnlock_releasesAll() {
        acquire(A, 1, 2, 2);
        enlist(B, 2, 1, 2);
        assertThat(scripts.run("force-unlock.lua", List.of(lock), channel, "PUBLISH", "0"))
                .isEqualTo(1L);
        assertThat(renew(A, 1, LEASE)).isEqualTo(0L);
        assertThat(release(A, 1)).isEqualTo(0L);
        assertThat(toAll.untilEnd()).containsExactly("0");
    }

    // --- What Redis refuses.

    /** Without memory permits are acquired, waited for, renewed and released as ever. */
    @Test
    void memory_isExhausted() {
        acquire(A, 1, 1, 2);
        scripts.server().command("CONFIG", "SET", "maxmemory", "1");
        try {
            assertThat(renew(A, 1, LEASE.multipliedBy(2))).isEqualTo(1L);
            assertThat(renew(A, 1, LEASE.multipliedBy(2).plusSeconds(1))).isEqualTo(1L);
            assertThat(acquire("e:-1", 2, 1, 2)).isEqualTo(List.of(2L, 2L));
            assertInLine(enlist(B, 3, 1, 2), 0);
            assertInLine(enlist(C, 4, 1, 2), 1);
            assertThat(release(B, 3)).isEqualTo(0L);
            assertThat(closeAfter()).isEqualTo(1L);
            assertThat(release("e:-1", 2)).isEqualTo(List.of(2L, 1L, -1L));
            assertThat(release(C, 4)).isEqualTo(List.of(4L, 1L));
        } finally {
            scripts.server().command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    /** A state that another version has written in another format is refused, and stays as it is. */
    @Test
    void state_ofAnUnknownFormat() {
        acquire(A, 1, 1, 2);
        scripts.redis().hset(lock, "state", "1 2 3");
        var before = scripts.hash(lock);
        for (Runnable command : List.<Runnable>of(() -> enlist(B, 2, 1, 2), () -> release(A, 1), () -> closeAfter())) {
            assertThatThrownBy(command::run)
                    .isInstanceOf(RedisCommandExecutionException.class)
                    .hasMessageContaining("unknown format");
        }
        assertThat(scripts.hash(lock)).isEqualTo(before);
    }

    /** A client that may not count subscribers is answered that it has no place. */
    @Test
    void place_isRefused() {
        acquire(A, 1, 1, 1);
        var before = scripts.hash(lock);
        try (var restricted = scripts.connectAs("placeless", "+@all", "~*", "&*", "-pubsub")) {
            assertThat(scripts.runOver(restricted, "sem-acquire.lua", List.of(lock), enlisting(B, 2, 1, 1)))
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .hasSize(2)
                    .element(1)
                    .isInstanceOf(String.class);
        }
        assertThat(scripts.hash(lock)).isEqualTo(before);
    }
}
