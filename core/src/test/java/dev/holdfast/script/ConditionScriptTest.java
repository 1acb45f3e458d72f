package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.LEASE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Announcements;
import dev.holdfast.Patience;
import io.lettuce.core.RedisCommandExecutionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The scripts of conditions, on the clock and the channels of a real server. */
@Tag("script")
final class ConditionScriptTest {
    private static final String A = "a:-1";
    private static final String A2 = "a:-2";
    private static final String B = "b:-1";
    private static final String C = "c:-1";

    /** An owner that does not wait, of a client that does not listen. */
    private static final String HOLDER = "h:-1";

    private static final String FULL = "not full";
    private static final String EMPTY = "not empty";

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();
    private final String conditions = "conditions of {" + lock + "}";
    private final String channel = "channel of {" + lock + "}";

    @AutoClose
    private final Announcements toA = Announcements.on(scripts.server(), channel + ":a:signals");

    @AutoClose
    private final Announcements toB = Announcements.on(scripts.server(), channel + ":b:signals");

    @AutoClose
    private final Announcements toC = Announcements.on(scripts.server(), channel + ":c:signals");

    private long tenures = 100;

    private Object part(String owner, long tenure, long ticket, String condition, Object... signals) {
        return scripts.run(
                "condition-part.lua", List.of(lock, conditions), words(owner, tenure, ticket, condition, signals));
    }

    private Object[] words(String owner, long tenure, long ticket, String condition, Object... signals) {
        Object[] before = {owner, tenure, channel, "PUBLISH", 1, LEASE.toMillis(), ticket, condition};
        return Stream.of(before, signals).flatMap(Stream::of).toArray();
    }

    /** Acquires the lock, parts, and releases it. {@return the reply to the part, without its tenure} */
    private Object holding(String owner, long ticket, String condition, Object... signals) {
        long tenure = ++tenures;
        scripts.acquire(lock, owner, tenure, 1, LEASE);
        List<?> reply = (List<?>) part(owner, tenure, ticket, condition, signals);
        assertThat(reply).hasSize(2).element(0).isEqualTo(tenure);
        scripts.release(lock, owner, tenure, 0);
        return reply.get(1);
    }

    private void waits(String owner, long ticket, String condition) {
        assertThat(holding(owner, ticket, condition)).isEqualTo(0L);
    }

    /** {@return how many were signalled} */
    private Object signal(String condition) {
        return holding(HOLDER, 0, "", condition, 0);
    }

    private Object leave(String owner, long ticket) {
        return scripts.run("condition-leave.lua", List.of(conditions), owner, ticket, channel, "PUBLISH");
    }

    private Object watch(String client, long leaseMillis, Object... waits) {
        Object[] before = {client, leaseMillis, channel, "PUBLISH", "NUMSUB"};
        return scripts.run(
                "condition-watch.lua",
                List.of(conditions),
                Stream.of(before, waits).flatMap(Stream::of).toArray());
    }

    private Object rouse() {
        return scripts.run("condition-rouse.lua", List.of(conditions), channel, "PUBLISH");
    }

    private Map<String, String> hash() {
        return scripts.hash(conditions);
    }

    /** {@return the owners in a wait set, in order} Both ways through it are the same. */
    private List<String> waiting(String condition) {
        Map<String, String> hash = hash();
        String[] ends = hash.getOrDefault("queue:" + condition, "- -").split(" ", -1);
        List<String> owners = new ArrayList<>();
        String before = "-";
        for (String owner = ends[0]; !owner.equals("-"); ) {
            String[] wait = hash.getOrDefault("owner:" + owner, "").split(" ", 4);
            assertThat(wait).hasSize(4).contains(before, condition);
            owners.add(owner);
            before = owner;
            owner = wait[2];
        }
        assertThat(ends[1]).isEqualTo(before);
        return owners;
    }

    private void becomesDeaf(String client, Announcements messages) {
        messages.close();
        String its = channel + ":" + client + ":signals";
        Patience.await().until(() -> scripts.redis().pubsubNumsub(its).containsValue(0L));
    }

    private void hasDied(String client) {
        assertThat(scripts.redis().hset(conditions, "client:" + client, "1")).isFalse();
    }

    // --- Signals.

    /** Each signal is for the first that waits, over clients and owners, and reaches its client alone. */
    @Test
    void signal_inOrder() {
        waits(A, 1, FULL);
        waits(B, 2, FULL);
        waits(A2, 3, FULL);
        waits(C, 4, FULL);
        assertThat(waiting(FULL)).containsExactly(A, B, A2, C);

        assertThat(signal(FULL)).isEqualTo(1L);
        assertThat(waiting(FULL)).containsExactly(B, A2, C);
        assertThat(holding(HOLDER, 0, "", FULL, 0, FULL, 0)).isEqualTo(2L);
        assertThat(waiting(FULL)).containsExactly(C);
        assertThat(toA.untilEnd()).containsExactly("signal a:-1 1", "signal a:-2 3");
        assertThat(toB.untilEnd()).containsExactly("signal b:-1 2");
        assertThat(toC.untilEnd()).isEmpty();
        assertThat(signal(FULL)).isEqualTo(1L);
        assertThat(hash()).containsOnlyKeys("client:a", "client:b", "client:c");
    }

    /** A signal for all is for those of its condition; the condition without a name is one of its own. */
    @Test
    void signalAll_ofOneCondition() {
        waits(A, 1, FULL);
        waits(B, 2, EMPTY);
        waits(A2, 3, "");
        waits(C, 4, FULL);

        assertThat(holding(HOLDER, 0, "", FULL, 1)).isEqualTo(2L);
        assertThat(waiting(FULL)).isEmpty();
        assertThat(waiting(EMPTY)).containsExactly(B);
        assertThat(waiting("")).containsExactly(A2);
        assertThat(holding(HOLDER, 0, "", "", 1, EMPTY, 0)).isEqualTo(2L);
        assertThat(toA.untilEnd()).containsExactly("signal a:-1 1", "signal a:-2 3");
        assertThat(toB.untilEnd()).containsExactly("signal b:-1 2");
        assertThat(toC.untilEnd()).containsExactly("signal c:-1 4");
    }

    /** A signal for nobody is not stored, and an owner that signals and waits does not receive its own. */
    @Test
    void signal_isNotStored() {
        assertThat(signal(FULL)).isEqualTo(0L);
        assertThat(scripts.redis().exists(conditions)).isZero();
        assertThat(holding(A, 1, FULL, FULL, 0)).isEqualTo(0L);
        assertThat(waiting(FULL)).containsExactly(A);
        assertThat(toA.untilEnd()).isEmpty();
        assertThat(holding(B, 2, FULL, FULL, 1)).isEqualTo(1L);
        assertThat(waiting(FULL)).containsExactly(B);
    }

    /** Clients that are not alive, or not subscribed, are passed over in the same script, and are out of the wait set. */
    @Test
    void signal_deadAndDeaf_arePassedOver() {
        waits(A, 1, FULL);
        waits(B, 2, FULL);
        waits(C, 3, FULL);
        waits("c:-2", 4, FULL);
        hasDied("a");
        becomesDeaf("b", toB);

        assertThat(signal(FULL)).isEqualTo(1L);

        assertThat(toC.untilEnd()).containsExactly("signal c:-1 3");
        assertThat(toA.untilEnd()).isEmpty();
        assertThat(waiting(FULL)).containsExactly("c:-2");
    }

    /** Where nobody knows all subscribers, a client that is alive is not passed over, and one that has died is. */
    @Test
    void signal_notCounted() {
        waits(A, 1, FULL);
        waits("x:-1", 2, FULL);
        waits(C, 3, FULL);
        hasDied("a");
        scripts.acquire(lock, HOLDER, 9, 1, LEASE);
        Object[] uncounted = words(HOLDER, 9, 0, "", FULL, 0);
        uncounted[4] = 0;

        assertThat(scripts.run("condition-part.lua", List.of(lock, conditions), uncounted))
                .isEqualTo(List.of(9L, 1L));

        assertThat(waiting(FULL)).containsExactly(C);
        assertThat(toA.untilEnd()).isEmpty();
        assertThat(toC.untilEnd()).isEmpty();
    }

    // --- Waits.

    /** A part that comes when the hold is over, or for another one, changes nothing. */
    @Test
    void part_late() {
        waits(A, 1, FULL);
        var before = hash();
        assertThat(part(B, 7, 2, FULL, FULL, 1)).isEqualTo(0L);
        scripts.acquire(lock, B, 8, 1, LEASE);
        assertThat(part(B, 7, 2, FULL, FULL, 1)).isEqualTo(0L);
        scripts.acquire(lock, B, 8, 2, LEASE);
        assertThat(part(C, 8, 3, FULL, FULL, 1)).isEqualTo(0L);
        assertThat(hash()).isEqualTo(before);
        assertThat(toA.untilEnd()).isEmpty();
    }

    /** An owner waits once: a part that is executed twice, or a wait for another condition, takes the place of the wait before. */
    @Test
    void part_twice() {
        waits(C, 1, FULL);
        scripts.acquire(lock, A, 8, 1, LEASE);
        part(A, 8, 2, FULL);
        part(A, 8, 2, FULL);
        scripts.release(lock, A, 8, 0);
        assertThat(waiting(FULL)).containsExactly(C, A);
        waits(A, 3, EMPTY);
        assertThat(waiting(FULL)).containsExactly(C);
        assertThat(waiting(EMPTY)).containsExactly(A);
        assertThat(leave(A, 2)).isEqualTo(0L);
        assertThat(leave(A, 3)).isEqualTo(1L);
    }

    /** One script decides between a signal and a leave, whichever comes first; those beside one that leaves stay in order. */
    @Test
    void leave_beforeAndAfterTheSignal() {
        waits(A, 1, FULL);
        waits(B, 2, FULL);
        waits(A2, 3, FULL);
        waits(C, 4, FULL);
        assertThat(leave(B, 1)).isEqualTo(0L);
        assertThat(leave(B, 2)).isEqualTo(1L);
        assertThat(leave(B, 2)).isEqualTo(0L);
        assertThat(waiting(FULL)).containsExactly(A, A2, C);
        signal(FULL);
        assertThat(leave(A, 1)).isEqualTo(0L);
        assertThat(leave(C, 4)).isEqualTo(1L);
        assertThat(waiting(FULL)).containsExactly(A2);
        assertThat(leave(A2, 3)).isEqualTo(1L);
        assertThat(hash()).containsOnlyKeys("client:a", "client:b", "client:c");
        assertThat(toB.untilEnd()).isEmpty();
    }

    // --- The heartbeat.

    /** A heartbeat shows which of its waits are over, and disturbs nobody. */
    @Test
    void watch_showsTheMissing() {
        waits(A, 1, FULL);
        waits(B, 2, FULL);
        waits(A2, 3, FULL);
        signal(FULL);
        assertThat(watch("a", LEASE.toMillis(), A, 1, A2, 3, A2, 2)).isEqualTo(List.of(0L, 0L, 1L, 0L));
        assertThat(waiting(FULL)).containsExactly(B, A2);
        assertThat(toB.untilEnd()).isEmpty();
    }

    /** One that finds a client that has died, or is not subscribed, wakes all that are left: it is found once. */
    @Test
    void watch_findsTheDead() {
        waits(A, 1, FULL);
        waits(B, 2, EMPTY);
        waits(C, 3, FULL);
        hasDied("a");
        becomesDeaf("b", toB);

        assertThat(watch("c", LEASE.toMillis(), C, 3)).isEqualTo(List.of(2L, 1L));

        assertThat(toC.untilEnd()).containsExactly("rouse");
        assertThat(hash()).containsOnlyKeys("client:c");
        assertThat(watch("c", LEASE.toMillis(), C, 3)).isEqualTo(List.of(0L, 0L));
    }

    /** Where nobody knows all subscribers, only time shows that a client has died. */
    @Test
    void watch_notCounted() {
        waits("x:-1", 1, FULL);
        waits(C, 2, FULL);
        Object[] uncounted = {"c", LEASE.toMillis(), channel, "PUBLISH", "", C, 2};
        assertThat(scripts.run("condition-watch.lua", List.of(conditions), uncounted))
                .isEqualTo(List.of(0L, 1L));
        hasDied("x");
        assertThat(scripts.run("condition-watch.lua", List.of(conditions), uncounted))
                .isEqualTo(List.of(1L, 1L));
        assertThat(toC.untilEnd()).containsExactly("rouse");
    }

    /** A client that has no waiters any more removes what is of it alone; after the last one nothing is left. */
    @Test
    void watch_ofNone() {
        waits(A, 1, FULL);
        waits(B, 2, FULL);
        leave(A, 1);
        assertThat(watch("a", 0)).isEqualTo(0L);
        assertThat(waiting(FULL)).containsExactly(B);
        leave(B, 2);
        watch("b", 0);
        assertThat(scripts.redis().exists(conditions)).isZero();
    }

    /** All clients that are registered are woken, and no wait is left. */
    @Test
    void rouse_wakesAll() {
        waits(A, 1, FULL);
        waits(B, 2, EMPTY);
        waits(C, 3, FULL);
        leave(C, 3);

        assertThat(rouse()).isEqualTo(1L);

        for (Announcements messages : List.of(toA, toB, toC)) {
            assertThat(messages.untilEnd()).containsExactly("rouse");
        }
        assertThat(hash()).containsOnlyKeys("client:a", "client:b", "client:c");
        assertThat(signal(FULL)).isEqualTo(0L);
    }

    /** All entries are shown. */
    @Test
    void inspect_showsAll() {
        waits(A, 1, FULL);
        List<?> seen = (List<?>) scripts.run("condition-inspect.lua", List.of(conditions));
        assertThat(seen).hasSize(6);
        assertThat(seen.stream().map(String::valueOf))
                .contains("queue:" + FULL, A + " " + A, "owner:" + A, "1 - - " + FULL, "client:a");
    }

    // --- Expiry, and costs.

    /** The key lives for two leases after a wait or a heartbeat, at least: a client with a shorter one does not shorten that. */
    @Test
    void key_expires() {
        waits(A, 1, FULL);
        Duration twice = LEASE.multipliedBy(2);
        assertThat(scripts.left(conditions)).isBetween(LEASE, twice);
        watch("a", 2 * LEASE.toMillis(), A, 1);
        assertThat(scripts.left(conditions)).isBetween(twice, twice.multipliedBy(2));
        watch("b", 1);
        waits(B, 2, FULL);
        signal(FULL);
        rouse();
        assertThat(scripts.left(conditions)).isBetween(twice, twice.multipliedBy(2));
    }

    /** The commands that Redis executes for a signal, a wait and a leave do not grow with the waiters. */
    @Test
    void cost_doesNotGrow() {
        assertThat(commandsAmong(400)).isEqualTo(commandsAmong(6));
    }

    private long commandsAmong(int waiters) {
        leave(A, 1); // Redis knows the script from now on
        LongStream.rangeClosed(1, waiters).forEach(ticket -> waits("a:-" + ticket, ticket, FULL));
        watch("a", 2 * LEASE.toMillis()); // the key lives for so long that no other command extends that
        scripts.server().command("CONFIG", "RESETSTAT");
        waits(B, waiters + 1, FULL);
        signal(FULL);
        leave("a:-4", 4);
        long commands = Stream.of(String.valueOf(scripts.server().command("INFO", "commandstats"))
                        .split(":calls="))
                .skip(1)
                .mapToLong(calls -> Long.parseLong(calls.replaceFirst("(?s),.*", "")))
                .sum();
        scripts.redis().del(conditions);
        return commands;
    }

    // --- What Redis refuses.

    /** Without memory owners wait, signal, leave and prove to be alive as ever. */
    @Test
    void memory_isExhausted() {
        waits(A, 1, FULL);
        waits(B, 2, FULL);
        watch("b", 2 * LEASE.toMillis()); // the key lives for so long that no other command extends that
        scripts.acquire(lock, C, 9, 1, LEASE);
        scripts.server().command("CONFIG", "SET", "maxmemory", "1");
        try {
            assertThat(part(C, 9, 3, FULL)).isEqualTo(List.of(9L, 0L));
            assertThat(waiting(FULL)).containsExactly(A, B, C);
            assertThat(leave(B, 2)).isEqualTo(1L);
            assertThat(watch("b", LEASE.toMillis())).isEqualTo(0L);
            assertThat(part(C, 9, 0, "", FULL, 0)).isEqualTo(List.of(9L, 1L));
            assertThat(rouse()).isEqualTo(1L);
        } finally {
            scripts.server().command("CONFIG", "SET", "maxmemory", "0");
        }
        assertThat(toA.untilEnd()).containsExactly("signal a:-1 1", "rouse");
    }

    /** A key that is no hash is refused, and stays as it is. */
    @Test
    void key_ofAnotherType() {
        scripts.redis().set(conditions, "no hash");
        scripts.acquire(lock, A, 9, 1, LEASE);
        for (Runnable command : List.<Runnable>of(
                () -> part(A, 9, 1, FULL),
                () -> part(A, 9, 0, "", FULL, 0),
                () -> leave(A, 1),
                () -> watch("a", LEASE.toMillis(), A, 1),
                this::rouse,
                () -> scripts.run("condition-inspect.lua", List.of(conditions)))) {
            assertThatThrownBy(command::run)
                    .isInstanceOf(RedisCommandExecutionException.class)
                    .hasMessageContaining("WRONGTYPE");
        }
        assertThat(scripts.redis().get(conditions)).isEqualTo("no hash");
        assertThat(scripts.left(conditions)).isNegative();
    }

    /** A signal that may not be published reaches nobody: those that wait are missing at their next heartbeat. */
    @Test
    void publish_isRefused() {
        waits(A, 1, FULL);
        scripts.acquire(lock, HOLDER, 9, 1, LEASE);
        assertThat(scripts.runWithoutPublish(
                        "condition-part.lua", List.of(lock, conditions), words(HOLDER, 9, 0, "", FULL, 0)))
                .isEqualTo(List.of(9L, 0L));
        assertThat(watch("a", LEASE.toMillis(), A, 1)).isEqualTo(List.of(0L, 0L));
    }

    /** A wait whose expiry may not be set is refused before there is a key that could remain. */
    @Test
    void expiry_isRefused() {
        scripts.acquire(lock, A, 9, 1, LEASE);
        try (var restricted = scripts.connectAs("timeless", "+@all", "~*", "&*", "-pexpire")) {
            assertThatThrownBy(() -> scripts.runOver(
                            restricted, "condition-part.lua", List.of(lock, conditions), words(A, 9, 1, FULL)))
                    .isInstanceOf(RedisCommandExecutionException.class)
                    .hasMessageMatching("(?is).*user.*");
        }
        assertThat(scripts.redis().exists(conditions)).isZero();
    }
}
