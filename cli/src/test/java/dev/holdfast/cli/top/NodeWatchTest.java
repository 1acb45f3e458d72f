package dev.holdfast.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.cli.found.LockScan;
import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** What a node is asked in a second, and how many commands that takes. */
@TestInstance(Lifecycle.PER_CLASS)
final class NodeWatchTest {
    private static final Pattern CALLS = Pattern.compile("cmdstat_([^:]+):calls=(\\d+)");

    private final RedisServer server = RedisServer.builder().start();
    private final Holdfast other = Holdfast.connect(server.uri());
    private final Holdfast third = Holdfast.connect(server.uri());

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

    /** However much there is to look at, a node receives no more commands in a second than the budget has; then it goes on. */
    @Test
    void second_isBounded() {
        server.command(
                "EVAL",
                "for i = 1, 1500 do redis.call('HSET', 'lock:' .. i, ARGV[1] .. ':1', 1) redis.call('HSET', 'cart:' .. i, 'a', 1) end",
                "0",
                "6f7a3f0e-6f0c-4c53-9c39-6c2b3a1d6c8e");
        AtomicLong nanos = new AtomicLong();
        try (LockScan scan = LockScan.connect(List.of(RedisURI.create(server.uri())))) {
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
        try (LockScan scan = LockScan.connect(List.of(RedisURI.create(server.uri())))) {
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
}
