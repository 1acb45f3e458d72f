package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.LEASE;
import static dev.holdfast.script.RawScripts.OTHER;
import static dev.holdfast.script.RawScripts.OWNER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Announcements;
import dev.holdfast.Patience;
import io.lettuce.core.RedisCommandExecutionException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.Redisson;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** The scripts of the read-write lock, on the clock and the channels of a real server. */
@Tag("script")
final class ReadWriteScriptTest {
    private static final String READER = "6f8e:-1";
    private static final String OTHER_READER = "b02c:-1";
    private static final String THIRD = "c3d4:-1";
    private static final Duration CLAIM = Duration.ofSeconds(3);

    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    private final String lock = scripts.newLock();
    private final String channel = "redisson_rwlock:{" + lock + "}";

    @AutoClose
    private final Announcements toOther = Announcements.on(scripts.server(), channel + ":b02c");

    @AutoClose
    private final Announcements toOtherReader = Announcements.on(scripts.server(), channel + ":b02c:read");

    @AutoClose
    private final Announcements toLine = Announcements.on(scripts.server(), channel + ":line");

    @AutoClose
    private final Announcements toLineToo = Announcements.on(scripts.server(), channel + ":line");

    @AutoClose
    private final Announcements toAll = Announcements.on(scripts.server(), channel);

    private Object acquire(String owner, long tenure, String side) {
        return scripts.run("rw-acquire.lua", List.of(lock), owner, tenure, 1, LEASE.toMillis(), side);
    }

    private Object enlist(String owner, long tenure, String side) {
        return scripts.run("rw-acquire.lua", List.of(lock), enlisting(owner, tenure, side));
    }

    private Object[] enlisting(String owner, long tenure, String side) {
        return new Object[] {owner, tenure, 1, LEASE.toMillis(), side, "a label", CLAIM.toMillis(), channel, "PUBLISH"};
    }

    private Object release(String owner, long tenure) {
        return scripts.run("rw-release.lua", List.of(lock), owner, tenure, 0, channel, "PUBLISH");
    }

    /** Readers share the lock, each with its own end, and the key lives as long as the last of them. */
    @Test
    void readers_share() {
        assertThat(acquire(READER, 1, "read")).isEqualTo(1L);
        Object shorter = scripts.run("rw-acquire.lua", List.of(lock), OTHER_READER, 2, 1, 20_000, "read", "a label");
        assertThat(shorter).isEqualTo(2L);
        assertThat(scripts.left(lock)).isGreaterThan(LEASE.minusSeconds(30));
        assertThat(scripts.hash(lock))
                .containsEntry("mode", "shared")
                .containsEntry(READER, "1")
                .hasEntrySatisfying(
                        OTHER_READER + ":until", until -> assertThat(until).endsWith(" a label"));
        assertThat(acquire(OWNER, 3, "write"))
                .isInstanceOfSatisfying(Long.class, left -> assertThat(left).isBetween(-20_000L, -1L));
    }

    /** A writer has the lock after the reader before it, readers that came later after the writer, and all are notified. */
    @Test
    void phases_alternate() {
        acquire(READER, 1, "read");
        assertThat(enlist(OTHER, 2, "write"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(3);
        assertThat(acquire(THIRD, 3, "read")).isInstanceOf(Long.class).isNotEqualTo(3L);
        assertThat(enlist(OTHER_READER, 4, "read"))
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .element(1)
                .isEqualTo(0L);

        assertThat(release(READER, 1)).isEqualTo(List.of(1L, 1L, -1L));
        assertThat(toOther.untilEnd()).singleElement().asString().startsWith(OTHER + " 2 ");
        assertThat(scripts.left(lock)).isLessThanOrEqualTo(CLAIM);
        assertThat(scripts.hash(lock)).containsEntry("b02c:label", "a label");

        assertThat(release(OTHER, 2)).isEqualTo(List.of(2L, 1L, -1L));
        assertThat(toOtherReader.untilEnd()).singleElement().asString().matches(OTHER_READER + " 4 \\d+");
        assertThat(release(OTHER_READER, 4)).isEqualTo(List.of(4L, 1L));
        assertThat(toAll.untilEnd()).containsExactly("1");
        assertThat(scripts.redis().exists(lock)).isZero();
        for (Announcements line : List.of(toLine, toLineToo)) {
            assertThat(String.join(", ", line.untilEnd())).matches("opened \\d+, closing \\d+(, end)?");
        }
    }

    /** A writer that becomes a reader lets those in line in, which are told of the writers that wait. */
    @Test
    void downgrade_admitsReaders() {
        acquire(OWNER, 1, "write");
        enlist(OTHER, 2, "write");
        enlist(OTHER_READER, 3, "read");
        Object answer = scripts.run(
                "rw-downgrade.lua", List.of(lock), OWNER, 1, READER, 4, LEASE.toMillis(), channel, "PUBLISH");
        assertThat(answer).isEqualTo(List.of(1L, 1L));
        assertThat(toOtherReader.untilEnd()).singleElement().asString().matches(OTHER_READER + " 3 \\d+ 1");
        assertThat(scripts.hash(lock)).containsKeys(READER, OTHER_READER).doesNotContainKey(OWNER);
        assertThat(release(OTHER_READER, 3)).isEqualTo(3L);
        assertThat(release(READER, 4)).isEqualTo(List.of(4L, 1L, -1L));
    }

    /** A hold that is not a writer's is not downgraded. */
    @Test
    void downgrade_ofAReader() {
        acquire(OTHER_READER, 1, "read");
        var before = scripts.hash(lock);
        assertThat(scripts.run(
                        "rw-downgrade.lua", List.of(lock), OTHER_READER, 1, READER, 4, 1_000, channel, "PUBLISH"))
                .isEqualTo(0L);
        assertThat(scripts.hash(lock)).isEqualTo(before);
    }

    /** A writer whose client is gone bars no reader that comes, nor those in line. */
    @Test
    void reader_pastADeadWriter() {
        acquire(READER, 1, "read");
        String dead = "dead:7";
        try (Announcements toDead = Announcements.on(scripts.server(), channel + ":dead")) {
            enlist(dead, 2, "write");
            enlist(OTHER_READER, 3, "read");
            assertThat(toDead.untilEnd()).isEmpty();
        }
        String channelOfDead = channel + ":dead";
        Patience.await().until(() -> !scripts.redis().pubsubChannels().contains(channelOfDead));
        assertThat(enlist(THIRD, 4, "read")).isEqualTo(4L);
        assertThat(toOtherReader.untilEnd()).singleElement().asString().matches(OTHER_READER + " 3 \\d+");
        assertThat(scripts.hash(lock))
                .containsKeys(READER, OTHER_READER, THIRD)
                .doesNotContainKeys("dead:writer", "b02c:reader");
    }

    /** More readers than a script may have arguments in one call are granted the lock at once. */
    @Test
    void readers_manyInLine() {
        int many = 9_000;
        String[] channels = IntStream.range(0, many)
                .mapToObj(i -> channel + ":client" + i + ":read")
                .toArray(String[]::new);
        try (var clients = scripts.connectToAll()) {
            clients.sync().subscribe(channels);
            acquire(OWNER, 1, "write");
            List<CompletableFuture<Object>> joined = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                joined.add(scripts.begin("rw-acquire.lua", List.of(lock), enlisting("client" + i + ":-1", 2, "read")));
            }
            joined.forEach(Patience::get);
            assertThat(release(OWNER, 1)).isEqualTo(List.of(1L, (long) many, -1L));
            assertThat(scripts.redis().hget(lock, "readers")).startsWith("0 " + many + " ");
        }
    }

    /** The commands that Redis executes for a reader that comes and goes do not grow with the readers that stay. */
    @Test
    void readers_costsOfOneMore() {
        acquire("client:-1", 1, "read");
        oneMore();
        long beside1 = commandsOfOneMore();
        for (int i = 2; i <= 1_000; i++) {
            acquire("client:-" + i, i, "read");
        }
        assertThat(commandsOfOneMore()).isEqualTo(beside1);
    }

    /** With a shorter lease than those of the others, for which the key lives long enough. */
    private void oneMore() {
        long shorter = LEASE.dividedBy(2).toMillis();
        scripts.run("rw-acquire.lua", List.of(lock), READER, 5_000, 1, shorter, "read");
        release(READER, 5_000);
    }

    private long commandsOfOneMore() {
        scripts.server().command("CONFIG", "RESETSTAT");
        oneMore();
        return Stream.of(String.valueOf(scripts.server().command("INFO", "commandstats"))
                        .split(":calls="))
                .skip(1)
                .mapToLong(calls -> Long.parseLong(calls.replaceFirst("(?s),.*", "")))
                .sum();
    }

    /** The server's time for a reader that comes and goes, beside 1 and beside 1,000 others: printed, since it is the machine's. */
    @Tag("slow")
    @Test
    void readers_timeOfOneMore() {
        String few = scripts.newLock();
        String many = scripts.newLock();
        for (int i = 1; i <= 1_000; i++) {
            read(i == 1 ? few : many, "client:-" + i, i);
            read(many, "client:-" + i, i);
        }
        List<Double> besideFew = new ArrayList<>();
        List<Double> besideMany = new ArrayList<>();
        for (int run = 0; run < 15; run++) {
            besideFew.add(microsOfOneMore(few));
            besideMany.add(microsOfOneMore(many));
        }
        System.out.println("microseconds beside 1 reader, and beside 1,000:\n"
                + besideFew.stream().sorted().toList()
                + "\n" + besideMany.stream().sorted().toList());
        assertThat(scripts.redis().hget(few, "readers")).startsWith("0 1 ");
        assertThat(scripts.redis().hget(many, "readers")).startsWith("0 1000 ");
    }

    private static void read(String name, String owner, long tenure) {
        scripts.run("rw-acquire.lua", List.of(name), owner, tenure, 1, LEASE.toMillis(), "read");
    }

    private double microsOfOneMore(String name) {
        scripts.server().command("CONFIG", "RESETSTAT");
        List<CompletableFuture<Object>> calls = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            calls.add(scripts.begin("rw-acquire.lua", List.of(name), READER, 5_000, 1, LEASE.toMillis(), "read"));
            calls.add(scripts.begin("rw-release.lua", List.of(name), READER, 5_000, 0, channel, "PUBLISH"));
        }
        calls.forEach(Patience::get);
        String stats = String.valueOf(scripts.server().command("INFO", "commandstats"));
        return Double.parseDouble(stats.replaceFirst("(?s).*cmdstat_evalsha:.*?usec_per_call=", "")
                .replaceFirst("(?s),.*", ""));
    }

    // --- Other kinds.

    /** The scripts of the plain lock do not touch a read-write lock, whoever asks, and say what it is. */
    @Test
    void plainLock_ofAReadWriteLock() {
        acquire(OWNER, 5, "write");
        var before = scripts.hash(lock);
        for (String owner : List.of(OWNER, OTHER)) {
            assertThatThrownBy(() -> scripts.acquire(lock, owner, 6, 1, LEASE))
                    .hasMessageStartingWith("WRONGKIND read-write lock");
            Object several = scripts.run("acquire-several.lua", List.of(lock), 0, 0, "", owner, 6, LEASE.toMillis());
            assertThat(several)
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .first()
                    .isEqualTo("WRONGKIND read-write lock");
            assertThat(scripts.release(lock, owner, 6, 0)).isInstanceOf(Long.class);
        }
        assertThat(scripts.hash(lock)).isEqualTo(before);
    }

    /** The same the other way round. */
    @ParameterizedTest
    @ValueSource(strings = {"read", "write"})
    void readWriteLock_ofAPlainLock(String side) {
        scripts.acquire(lock, OWNER, 5, 1, LEASE);
        var before = scripts.hash(lock);
        for (String owner : List.of(OWNER, OTHER)) {
            assertThatThrownBy(() -> enlist(owner, 6, side)).hasMessageStartingWith("WRONGKIND exclusive lock");
            assertThat(release(owner, 6)).isInstanceOf(Long.class);
            assertThat(scripts.run("rw-downgrade.lua", List.of(lock), owner, 6, READER, 7, 1000, channel, "PUBLISH"))
                    .isInstanceOf(Long.class);
        }
        assertThat(scripts.hash(lock)).isEqualTo(before);
    }

    /** A lock whose lines another version has written in another format is refused, and stays as it is. */
    @Test
    void lines_ofAnUnknownFormat() {
        acquire(READER, 1, "read");
        scripts.redis().hset(lock, "readers", "0 1 2 3");
        for (String side : List.of("read", "write")) {
            assertThatThrownBy(() -> enlist(OTHER_READER, 2, side))
                    .isInstanceOf(RedisCommandExecutionException.class)
                    .hasMessageContaining("unknown format");
        }
        assertThatThrownBy(() -> release(READER, 1)).hasMessageContaining("unknown format");
        assertThat(scripts.hash(lock)).containsKey(READER);
    }

    /** Our lock and Redisson's exclude each other, and the release of ours wakes all of Redisson's readers. */
    @Test
    void redisson_waits() {
        Config config = new Config();
        config.useSingleServer().setAddress(scripts.server().uri());
        RedissonClient redisson = Redisson.create(config);
        try {
            RReadWriteLock theirs = redisson.getReadWriteLock(lock);
            for (String side : List.of("read", "write")) {
                wakes(List.of(theirs.readLock(), theirs.readLock()), side);
                wakes(List.of(theirs.writeLock()), side);
            }
            assertThat(theirs.readLock().tryLock()).isTrue();
            var before = scripts.hash(lock);
            assertThat(acquire(OTHER_READER, 2, "read")).isNotEqualTo(2L);
            assertThat(enlist(OTHER, 3, "write")).isInstanceOf(Long.class);
            assertThat(release(OTHER, 3)).isInstanceOf(Long.class);
            assertThat(scripts.hash(lock)).isEqualTo(before);
            theirs.readLock().unlock();
        } finally {
            redisson.shutdown();
        }
    }

    private void wakes(List<Lock> waiters, String side) {
        acquire(READER, 1, side);
        List<CompletableFuture<Boolean>> taken = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (Lock waiter : waiters) {
            CompletableFuture<Boolean> one = new CompletableFuture<>();
            taken.add(one);
            threads.add(new Thread(() -> one.complete(takes(waiter))));
        }
        threads.forEach(Thread::start);
        // Redisson's message wakes those that wait at that time; it would miss one that is about to.
        Patience.await().until(() -> threads.stream().allMatch(ReadWriteScriptTest::waitsForAMessage));
        assertThat(taken).noneMatch(CompletableFuture::isDone);
        release(READER, 1);
        assertThat(taken).allMatch(Patience::get);
    }

    private static boolean waitsForAMessage(Thread thread) {
        return Stream.of(thread.getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals(Semaphore.class.getName()));
    }

    private static boolean takes(Lock theirs) {
        try {
            boolean locked = theirs.tryLock(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            if (locked) {
                theirs.unlock();
            }
            return locked;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("nobody interrupts this thread", e);
        }
    }

    // --- What Redis refuses.

    /**
     * Without memory a lock is acquired, waited for and granted as ever: each script begins with a write that needs none. A
     * partial release is none of these.
     */
    @Test
    void memory_isExhausted() {
        scripts.server().command("CONFIG", "SET", "maxmemory", "1");
        try {
            assertThat(acquire(OWNER, 1, "write")).isEqualTo(1L);
            assertThat(enlist(OTHER, 2, "write"))
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .hasSize(3);
            assertThat(enlist(OTHER_READER, 3, "read"))
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .hasSize(3);
            assertThat(release(OWNER, 1)).isEqualTo(List.of(1L, 1L, -1L));
            assertThat(release(OTHER_READER, 3)).isEqualTo(List.of(3L, 1L, -1L));
            assertThat(release(OTHER, 2)).isEqualTo(List.of(2L, 1L));
        } finally {
            scripts.server().command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    /** The same for readers: one that comes, is renewed, comes again, is looked at, or leaves the line. */
    @Test
    void memory_isExhausted_readers() {
        long shorter = LEASE.dividedBy(2).toMillis();
        acquire(READER, 1, "read");
        scripts.run("rw-acquire.lua", List.of(lock), THIRD, 2, 1, 1_000, "read");
        String until = scripts.redis().hget(lock, THIRD + ":until");
        scripts.redis().hset(lock, "readers", "0 2 1");
        scripts.server().command("CONFIG", "SET", "maxmemory", "1");
        try {
            assertThat(scripts.run("rw-renew.lua", List.of(lock), THIRD, 2, shorter))
                    .isEqualTo(2L);
            assertThat(scripts.redis().hget(lock, THIRD + ":until")).isNotEqualTo(until);
            assertThat(scripts.run("rw-acquire.lua", List.of(lock), "e5f6:-1", 2, 1, shorter, "read"))
                    .isEqualTo(2L);
            assertThat(acquire(OTHER, 2, "write")).isInstanceOf(Long.class);
            assertThat(scripts.redis().hget(lock, "readers")).startsWith("0 3 1");
            for (int tenure = 3; tenure < 5; tenure++) {
                assertThat(enlist(OTHER, tenure, "write"))
                        .asInstanceOf(InstanceOfAssertFactories.LIST)
                        .hasSize(3);
                assertThat(enlist(OTHER_READER, tenure, "read"))
                        .asInstanceOf(InstanceOfAssertFactories.LIST)
                        .hasSize(3);
            }
            assertThat(release(OTHER_READER, 5)).isInstanceOf(Long.class);
            assertThat(release(OTHER, 5)).isInstanceOf(Long.class);
            assertThat(scripts.hash(lock)).doesNotContainKeys("b02c:reader", "b02c:writer");
        } finally {
            scripts.server().command("CONFIG", "SET", "maxmemory", "0");
        }
    }

    /** A client that may not count subscribers, or set an expiry, is answered that it has no place. */
    @ParameterizedTest
    @ValueSource(strings = {"-pubsub", "-pexpire", "-hset"})
    void place_isRefused(String right) {
        acquire(OWNER, 1, "write");
        var before = scripts.hash(lock);
        try (var restricted = scripts.connectAs("placeless", "+@all", "~*", "&*", right)) {
            for (String side : List.of("read", "write")) {
                Object answer = scripts.runOver(
                        restricted,
                        "rw-acquire.lua",
                        List.of(lock),
                        enlisting(side.equals("read") ? OTHER_READER : OTHER, 2, side));
                assertThat(answer)
                        .asInstanceOf(InstanceOfAssertFactories.LIST)
                        .hasSize(2)
                        .element(1)
                        .isInstanceOf(String.class);
            }
        }
        assertThat(scripts.hash(lock)).isEqualTo(before);
    }

    /** A releaser that may not grant the lock to a writer leaves it free. */
    @ParameterizedTest
    @ValueSource(strings = {"-hdel", "-hset", "-pexpire", "-pubsub", "-time"})
    void grant_isRefused(String right) {
        acquire(OWNER, 1, "write");
        enlist(OTHER, 2, "write");
        try (var restricted = scripts.connectAs("grantless", "+@all", "~*", "&*", right)) {
            assertThat(scripts.runOver(restricted, "rw-release.lua", List.of(lock), OWNER, 1, 0, channel, "PUBLISH"))
                    .isEqualTo(List.of(1L, 1L));
        }
        assertThat(scripts.redis().exists(lock)).isZero();
        assertThat(toAll.untilEnd()).containsExactly("1");
        assertThat(toOther.untilEnd()).isEmpty();
    }

    /** A reader in line that was not granted the lock with those before it has no place any more, and is notified. */
    @Test
    void grant_isRefusedInPart() {
        acquire(OWNER, 1, "write");
        enlist(OTHER_READER, 2, "read");
        try (Announcements toThird = Announcements.on(scripts.server(), channel + ":c3d4:read");
                var restricted = scripts.connectAs("expiryless", "+@all", "~*", "&*", "-pexpire")) {
            Object[] longer = enlisting(THIRD, 3, "read");
            longer[6] = LEASE.multipliedBy(2).toMillis();
            assertThat(scripts.run("rw-acquire.lua", List.of(lock), longer))
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .hasSize(3);
            assertThat(scripts.runOver(restricted, "rw-release.lua", List.of(lock), OWNER, 1, 0, channel, "PUBLISH"))
                    .isEqualTo(List.of(1L, 1L, -1L));
            assertThat(toThird.untilEnd()).isEmpty();
        }
        assertThat(toOtherReader.untilEnd()).singleElement().asString().startsWith(OTHER_READER + " 2 ");
        assertThat(toAll.untilEnd()).containsExactly("1");
        assertThat(scripts.hash(lock)).containsKey(OTHER_READER).doesNotContainKeys(OWNER, THIRD, "c3d4:reader");
    }

    /** Where readers may not be admitted when the last writer leaves, all attempt, and none is in line any more then. */
    @Test
    void admission_isRefused() {
        acquire(READER, 1, "read");
        enlist(OTHER, 2, "write");
        enlist(OTHER_READER, 3, "read");
        try (var restricted = scripts.connectAs("deaf", "+@all", "~*", "&*", "-pubsub")) {
            Object reply =
                    scripts.runOver(restricted, "rw-release.lua", List.of(lock), OTHER, 2, 0, channel, "PUBLISH");
            assertThat(reply).isInstanceOf(Long.class);
        }
        assertThat(toAll.untilEnd()).containsExactly("1");
        assertThat(enlist(OTHER_READER, 4, "read")).isEqualTo(4L);
        assertThat(scripts.hash(lock)).doesNotContainKey("b02c:reader");
        assertThat(scripts.redis().hget(lock, "readers")).startsWith("0 2 ");
    }
}
