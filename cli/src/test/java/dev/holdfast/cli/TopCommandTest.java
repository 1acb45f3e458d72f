package dev.holdfast.cli;

import static dev.holdfast.cli.ProcessWait.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedCountDownLatch;
import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.Permits;
import dev.holdfast.testkit.RedisServer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** {@code holdfast top} without a terminal: what it finds on a Redis, and which rights it needs. */
@TestInstance(Lifecycle.PER_CLASS)
final class TopCommandTest {
    private static final String CLIENT = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

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

    @Test
    void order_isOneOfThree() {
        Invocation wrong = run("top", "--once", "--order", "age");
        assertThat(wrong.exitCode()).isEqualTo(64);
        assertThat(wrong.err()).contains("--order must be held, line or name, was 'age'");
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
}
