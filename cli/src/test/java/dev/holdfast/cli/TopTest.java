package dev.holdfast.cli;

import static dev.holdfast.cli.ProcessWait.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedCountDownLatch;
import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.Permits;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** {@code holdfast top} without a terminal: what it finds on a Redis, which rights it needs, and how many commands it sends. */
@TestInstance(Lifecycle.PER_CLASS)
final class TopTest {
    private static final String CLIENT = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
    private static final Pattern CALLS = Pattern.compile("cmdstat_([^:]+):calls=(\\d+)");

    private final RedisServer server = RedisServer.builder().start();
    private final Holdfast other =
            Holdfast.builder().redisUri(server.uri()).label("web-3").build();
    private final Holdfast third =
            Holdfast.builder().redisUri(server.uri()).label("web-4").build();

    @BeforeEach
    void clear() {
        server.command("FLUSHALL");
    }

    @AfterAll
    void stop() {
        third.close();
        other.close();
        server.close();
    }

    private Invocation run(String... words) {
        return Invocation.start(server.uri(), words);
    }

    private static String output(Invocation run) {
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run.out();
    }

    /** Every kind is found by its keys, with its holder, its line, its lease and its token; what is no lock is not. */
    @Test
    @SuppressWarnings("WaitNotInLoop") // the wait is what is shown
    void once_showsEachKind() throws InterruptedException {
        server.command("HSET", "cart", "apples", "3");
        server.command("SET", "stock", "7");
        DistributedCountDownLatch latch = other.getCountDownLatch("import");
        assertThat(latch.trySetCount(3)).isTrue();
        DistributedLock buffer = third.getLock("buffer");
        Thread waiter = new Thread(
                () -> buffer.runLocked(() -> buffer.getCondition("full").awaitUninterruptibly()));
        waiter.start();
        try (Lease fenced = other.getFencedLock("orders").acquire();
                Lease fair = other.getFairLock("queue").acquire();
                Lease reader = other.getReadWriteLock("prices").readLock().acquire();
                Permits permits = other.getSemaphore("api", 3).acquire(2)) {
            List<CompletableFuture<? extends Lease>> line = List.of(
                    third.getFairLock("queue").acquireAsync(),
                    third.getReadWriteLock("prices").writeLock().acquireAsync(),
                    third.getSemaphore("api", 3).acquireAsync(2));
            try {
                eventually(() -> other.getFairLock("queue").inspect().clientsInLine() == 1
                        && other.getReadWriteLock("prices").inspect().clientsInLine() == 1
                        && other.getSemaphore("api", 3).inspect().line().size() == 1
                        && buffer.inspect().conditionWaiters().size() == 1);
                String held = "web-3 +\\d\\d:\\d\\d:\\d\\d +[\\d.]+s +";
                assertThat(output(run("top", "--once", "--order", "name"))
                                .lines()
                                .skip(1))
                        .satisfiesExactly(
                                one -> assertThat(one).matches("semaphore +api +" + held + "2 of 3 +1 +\\S+s +-"),
                                one -> assertThat(one).matches("condition +buffer \\(full\\) +- .* 1 waiter +- .*"),
                                one -> assertThat(one).matches("latch +import +- .* count 3 +- +2\\dh\\d\\dm +-"),
                                one -> assertThat(one)
                                        .matches("lock +orders +" + held + "1 level +0 +\\S+s +" + fenced.token()),
                                one -> assertThat(one).matches("read-write +prices +" + held + "1 reader +1 +\\S+s +-"),
                                one -> assertThat(one).matches("fair +queue +" + held + "1 level +1 +\\S+s +-"));
                assertThat(output(run("top", "--json", "prices", "q*")))
                        .containsPattern(
                                "\\{\"kind\":\"read-write\",\"name\":\"prices\",\"leaseMillis\":\\d+,\"waiting\":1,"
                                        + "\"holders\":\\[\\{\"owner\":\"" + CLIENT
                                        + ":-?\\d+\",\"label\":\"web-3\",\"since\":\"[^\"]+Z\","
                                        + "\"levels\":1,\"mode\":\"read\",\"leaseMillis\":\\d+\\}\\],"
                                        + "\"line\":\\[\\{\"owner\":\"" + third.clientId()
                                        + ":-?\\d+\",\"label\":\"web-4\",\"wants\":\"write\"\\}\\]\\}")
                        .contains("\"label\":\"web-4\",\"wants\":\"fair\"")
                        .doesNotContain("orders");
                assertThat(fair.isValid() && reader.isValid() && permits.isValid())
                        .isTrue();
            } finally {
                line.forEach(request -> request.cancel(false));
            }
        }
        buffer.runLocked(() -> buffer.getCondition("full").signal());
        waiter.join();
    }

    /** Looking at a latch does not renew its life, as looks of the library do; an application's string is no latch. */
    @Test
    void once_changesNothing() {
        assertThat(other.getCountDownLatch("import").trySetCount(3)).isTrue();
        server.command("PEXPIRE", "import", "600000");
        server.command("SET", "stock", "7");
        assertThat(output(run("top", "--once", "import", "stock")).lines().skip(1))
                .singleElement()
                .asString()
                .matches("latch +import .* count 3 +- +9m5\\ds +-");
        assertThat((Long) server.command("PTTL", "import")).isLessThanOrEqualTo(600_000L);
    }

    /** A user that may search needs what the help says; one that may not sees the names that are given, and a note. */
    @Test
    void once_rights() {
        Matcher rights = Pattern.compile("needs the rights ([^,.]+)").matcher(Command.LS.description());
        assertThat(rights.find()).isTrue();
        String library =
                "+evalsha +eval +script|load +hget +hmget +hgetall +pttl +get +time +ping +pubsub|numsub +hello +info"
                        + " +subscribe +unsubscribe +client|info";
        server.setUser("searcher", "secret", (rights.group(1) + " &* " + library).split(" ", -1));
        server.setUser("reader", "secret", ("~* &* " + library).split(" ", -1));
        String searcher = server.uri().replace("redis://", "redis://searcher:secret@");
        String reader = server.uri().replace("redis://", "redis://reader:secret@");
        try (Lease lease = other.getLock("orders").acquire();
                Lease another = other.getLock("other").acquire()) {
            assertThat(output(Invocation.start(searcher, "top", "--once")).lines())
                    .hasSize(3);
            Invocation named = Invocation.start(reader, "top", "--once", "orders");
            assertThat(output(named).lines()).hasSize(2).last().asString().startsWith("lock  orders");
            assertThat(named.err()).isEmpty();

            Invocation both = Invocation.start(reader, "top", "--once", "orders", "oth*");
            assertThat(output(both).lines()).hasSize(2).last().asString().startsWith("lock  orders");
            assertThat(both.err()).startsWith("holdfast: only the names given").contains("NOPERM");

            Invocation all = Invocation.start(reader, "top", "--once");
            assertThat(all.exitCode()).isEqualTo(69);
            assertThat(all.err()).contains("NOPERM");
            assertThat(all.out()).isEmpty();
            assertThat(lease.isValid() && another.isValid()).isTrue();
        }
    }

    /** However much there is to look at, a node receives no more commands in a second than the budget has; then it goes on. */
    @Test
    void second_isBounded() {
        server.command(
                "EVAL",
                "for i = 1, 1500 do redis.call('HSET', 'lock:' .. i, ARGV[1] .. ':1', 1) redis.call('HSET', 'cart:' .. i, 'a', 1) end",
                "0",
                "6f7a3f0e-6f0c-4c53-9c39-6c2b3a1d6c8e");
        AtomicLong nanos = new AtomicLong();
        try (LockScan scan = LockScan.connect(server.uri())) {
            NodeWatch watch = new NodeWatch(
                    scan.nodes().get(0), Wanted.of(List.of()), new TargetReader(third, scan.commands()), nanos::get);
            server.command("CONFIG", "RESETSTAT");
            watch.second();
            watch.second();
            assertThat(calls()).isBetween(1_900L, 2_000L);
            assertThat(watch.firstRound()).isNotDone();
            assertThat(Snapshot.of(List.of(watch.view()), Entries.NOW).notes())
                    .singleElement()
                    .asString()
                    .matches("not all keys were looked at yet, but about \\d000");

            int seconds = 1;
            while (!watch.firstRound().isDone()) {
                nanos.addAndGet(Duration.ofSeconds(1).toNanos());
                watch.second();
                seconds++;
                assertThat(calls()).isLessThanOrEqualTo(seconds * 2_000L);
            }
            assertThat(watch.view().entries()).hasSize(1_500);
            assertThat(seconds).isBetween(4, 10);
        }
    }

    /** {@return how many commands the server has received, but for those of scripts and of this test} */
    private long calls() {
        Matcher calls = CALLS.matcher(String.valueOf(server.command("INFO", "commandstats")));
        long sum = 0;
        while (calls.find()) {
            if (!List.of("info", "config|resetstat", "hgetall", "pttl").contains(calls.group(1))) {
                sum += Long.parseLong(calls.group(2));
            }
        }
        return sum;
    }

    /** A lock that was free for a while is shown again at once, and one that stays free is forgotten. */
    @Test
    void second_freeLockIsKeptForAWhile() {
        AtomicLong nanos = new AtomicLong();
        try (LockScan scan = LockScan.connect(server.uri())) {
            NodeWatch watch = new NodeWatch(
                    scan.nodes().get(0), Wanted.of(List.of()), new TargetReader(third, scan.commands()), nanos::get);
            other.getLock("orders").runLocked(() -> {
                watch.second();
                assertThat(watch.view().entries()).hasSize(1);
            });
            next(watch, nanos, Duration.ofSeconds(1));
            assertThat(watch.view().entries()).isEmpty();
            server.command("CONFIG", "RESETSTAT");
            next(watch, nanos, Duration.ofSeconds(1));
            assertThat(String.valueOf(server.command("INFO", "commandstats"))).contains("evalsha");
            next(watch, nanos, KnownTargets.KEPT);
            server.command("CONFIG", "RESETSTAT");
            next(watch, nanos, Duration.ofSeconds(1));
            assertThat(String.valueOf(server.command("INFO", "commandstats")))
                    .contains("scan")
                    .doesNotContain("evalsha");
        }
    }

    private static void next(NodeWatch watch, AtomicLong nanos, Duration later) {
        nanos.addAndGet(later.toNanos());
        watch.second();
    }

    /** What the question has named is forced open, unless others hold it by then. */
    @Test
    void force() {
        Lease lease = other.getLock("orders").acquire();
        Forcing forcing = forcing("orders");
        assertThat(forcing.question()).contains("'orders', held by web-3 (" + other.clientId());
        assertThat(forcing.execute(third)).isEqualTo("lock 'orders' was forced open");
        assertThat(forcing.execute(third)).contains("nothing was done");
        try (Lease next = third.getLock("orders").acquire()) {
            assertThat(forcing.execute(other)).contains("held by others by now: nothing was done");
            assertThat(next.isValid()).isTrue();
        }
        Permits permits = other.getSemaphore("api", 2).acquire();
        Entry api = Entry.of(FoundSemaphore.of(third, "api")).get(0);
        Forcing release = new Forcing(api, api.holders());
        assertThat(release.execute(third)).isEqualTo("the permits of web-3 were released");
        assertThat(release.execute(third)).isEqualTo("web-3 has no permits any more");
        assertThat(lease.releaseAsync()).isNotNull();
        assertThat(permits.releaseAsync()).isNotNull();
    }

    private Forcing forcing(String name) {
        Entry entry = Entry.of(FoundLock.of(third, name)).get(0);
        return new Forcing(entry, entry.holders());
    }

    /** A Redis that is gone and comes back is shown as that, with what was seen before, and then as it is. */
    @Test
    void watch_outage() {
        try (RedisServer own = RedisServer.builder().start();
                Holdfast client = Holdfast.connect(own.uri());
                LockScan scan = LockScan.connect(own.uri())) {
            Lease lease = client.getLock("orders").acquire(Duration.ofMinutes(9));
            try (Watch watch = Watch.start(scan, Wanted.of(List.of()), client)) {
                watch.firstRound().join();
                own.kill();
                eventually(() -> watch.snapshot().isLost());
                assertThat(watch.snapshot().notes()).first().asString().startsWith("not connected");
                assertThat(watch.snapshot().entries()).extracting(Entry::name).containsExactly("orders");
                own.restartEmpty();
                eventually(() ->
                        !watch.snapshot().isLost() && watch.snapshot().entries().isEmpty());
            }
            assertThat(lease.releaseAsync()).isNotNull();
        }
    }
}
