package dev.holdfast.cli;

import static dev.holdfast.cli.ProcessWait.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The commands that run nothing: {@code who}, {@code ls}, {@code release} and {@code wait}. */
@TestInstance(Lifecycle.PER_CLASS)
final class CommandsTest {
    private static final String CLIENT = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

    private final RedisServer server = RedisServer.builder().start();
    private final Holdfast other =
            Holdfast.builder().redisUri(server.uri()).label("web-3").build();

    @BeforeEach
    void clear() {
        server.command("FLUSHALL");
    }

    @AfterAll
    void stop() {
        other.close();
        server.close();
    }

    private Invocation run(String... words) {
        return Invocation.start(server.uri(), words);
    }

    /** The owner of a lock is shown line by line; of a free lock nothing, and the exit code says so. */
    @Test
    void who_showsTheOwner() {
        try (Lease lease = other.getLock("jobs").acquire()) {
            Invocation who = run("who", "jobs");
            assertThat(who.exitCode()).isZero();
            assertThat(who.out())
                    .matches("lock      jobs\nowner     " + other.clientId() + ":-\\d+\nlabel     web-3\n"
                            + "since     \\S+Z\nholds     1\nlease     \\d+\\.\\d s\nin line   0\n");
            assertThat(lease.isValid()).isTrue();
        }
        Invocation free = run("who", "jobs");
        assertThat(free.exitCode()).isEqualTo(1);
        assertThat(free.out()).isEmpty();
    }

    /** The owners that wait for conditions are shown, also while nobody holds the lock. */
    @Test
    void who_showsConditions() throws InterruptedException {
        try (Holdfast client = Holdfast.builder().redisUri(server.uri()).build()) {
            DistributedLock jobs = client.getLock("jobs");
            Thread waiter = new Thread(() -> await(jobs, jobs.getCondition("not empty")));
            Thread another = new Thread(() -> await(jobs, jobs.newCondition()));
            waiter.start();
            another.start();
            eventually(() -> jobs.inspect().conditionWaiters().size() == 2);
            String waiters = "condition -\nwaits     %s:\\d+\ncondition not empty\nwaits     %s:\\d+\n"
                    .formatted(client.clientId(), client.clientId());

            Invocation free = run("who", "jobs");
            assertThat(free.exitCode()).isEqualTo(1);
            assertThat(free.out()).matches("lock      jobs\n" + waiters);
            try (Lease lease = other.getLock("jobs").acquire()) {
                assertThat(output("who", "jobs"))
                        .startsWith("lock      jobs\nowner     " + other.clientId())
                        .containsPattern("in line   0\n" + waiters + "$");
                assertThat(output("ls")).isEqualTo("jobs\n");
                assertThat(lease.isValid()).isTrue();
            }
            jobs.runLocked(() -> {
                jobs.getCondition("not empty").signal();
                jobs.newCondition().signal();
            });
            waiter.join();
            another.join();
        }
        assertThat(run("who", "jobs").out()).isEmpty();
    }

    @SuppressWarnings("WaitNotInLoop") // the wait is what is shown
    private static void await(DistributedLock lock, Condition condition) {
        lock.runLocked(condition::awaitUninterruptibly);
    }

    /** Of a read-write lock, all that read are shown, each with its own lease, and how many wait. */
    @Test
    void who_showsReaders() {
        String hold = "owner     " + CLIENT + ":-\\d+\nlabel     %s\nsince     \\S+Z\nholds     1\nlease     %s\n";
        DistributedReadWriteLock prices = other.getReadWriteLock("prices");
        try (Holdfast third =
                        Holdfast.builder().redisUri(server.uri()).label("web-4").build();
                Lease one = prices.readLock().acquire(Duration.ofSeconds(500));
                Lease two = third.getReadWriteLock("prices").readLock().acquire(Duration.ofMinutes(15))) {
            CompletableFuture<Lease> writer = prices.writeLock().acquireAsync();
            try {
                eventually(() -> prices.inspect().clientsInLine() == 1);
                assertThat(output("who", "prices"))
                        .matches("lock      prices\nmode      read\n(" + hold.formatted("web-\\d", "\\S+ s")
                                + "){2}in line   1\n")
                        .containsPattern(hold.formatted("web-3", "4\\d\\d\\.\\d s"))
                        .containsPattern(hold.formatted("web-4", "8\\d\\d\\.\\d s"));
                assertThat(output("ls", "--long").lines())
                        .hasSize(2)
                        .allMatch(line -> line.matches("prices\t" + CLIENT + ":-\\d+\tweb-[34]\t\\d+\\.\\d s\tread"));
                assertThat(one.isValid() && two.isValid()).isTrue();
            } finally {
                writer.cancel(false);
            }
        }
    }

    /** The writer is shown as the owner of a plain lock is, and as one. */
    @Test
    void who_showsWriter() {
        try (Lease writer = other.getReadWriteLock("prices").writeLock().acquire()) {
            assertThat(output("who", "prices"))
                    .startsWith("lock      prices\nmode      write\nowner     " + other.clientId())
                    .endsWith("in line   0\n");
            assertThat(output("ls", "-l")).endsWith("\twrite\n");
            assertThat(writer.isValid()).isTrue();
        }
        assertThat(run("who", "prices").exitCode()).isEqualTo(1);
    }

    private String output(String... words) {
        Invocation run = run(words);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run.out();
    }

    /** Redisson's writer is listed, too. */
    @Test
    void ls_listsRedissonsReadWriteLock() {
        server.command("HSET", "prices", "mode", "write", "6f7a3f0e-6f0c-4c53-9c39-6c2b3a1d6c8e:1:write", "1");
        server.command("PEXPIRE", "prices", "60000");
        assertThat(output("ls", "-l"))
                .matches("prices\t6f7a3f0e-6f0c-4c53-9c39-6c2b3a1d6c8e:1:write\t-\t\\d+\\.\\d s\twrite\n");
    }

    /** A read-write lock is forced open as what it is: a reader that waits has it at once, long before the lease ends. */
    @Test
    void release_force_readWrite() {
        Lease writer = other.getReadWriteLock("prices").writeLock().acquire();
        try (Holdfast third = Holdfast.connect(server.uri())) {
            CompletableFuture<Lease> waiting =
                    third.getReadWriteLock("prices").readLock().acquireAsync();
            eventually(() -> other.getReadWriteLock("prices").inspect().clientsInLine() == 1);
            assertThat(run("release", "--force", "prices").exitCode()).isZero();
            waiting.orTimeout(15, TimeUnit.SECONDS).join().close();
        } finally {
            assertThat(writer.releaseAsync()).isNotNull();
        }
    }

    /** Waits for the readers, or for the writer, of a read-write lock. */
    @Test
    void wait_readWrite() {
        try (Lease reader = other.getReadWriteLock("prices").readLock().acquire()) {
            assertThat(run("wait", "--shared", "prices").exitCode()).isZero();
            assertThat(run("wait", "--write", "--wait", "10ms", "prices").exitCode())
                    .isEqualTo(75);
            Invocation plain = run("wait", "prices");
            assertThat(plain.exitCode()).isEqualTo(69);
            assertThat(plain.err()).contains("prices", "read-write lock");
            assertThat(reader.isValid()).isTrue();
        }
        assertThat(run("wait", "--write", "prices").exitCode()).isZero();
    }

    /** A key that is no lock is an error with the name of the key. */
    @Test
    void who_noLock_isRefused() {
        server.command("SET", "stock", "7");
        Invocation who = run("who", "stock");

        assertThat(who.exitCode()).isEqualTo(69);
        assertThat(who.err()).contains("stock");
    }

    /** Only locks are listed, those that match, sorted; the details on request. */
    @Test
    void ls_listsLocks() {
        server.command("HSET", "cart", "apples", "3");
        server.command("SET", "stock", "7");
        try (Lease one = other.getLock("jobs:b").acquire();
                Lease two = other.getFencedLock("jobs:a").acquire();
                Lease three = other.getLock("other").acquire()) {
            assertThat(run("ls")).satisfies(ls -> {
                assertThat(ls.exitCode()).isZero();
                assertThat(ls.out()).isEqualTo("jobs:a\njobs:b\nother\n");
            });
            Invocation some = run("ls", "--long", "jobs:*");
            assertThat(some.exitCode()).isZero();
            assertThat(some.out().lines()).hasSize(2).allSatisfy(line -> assertThat(line)
                    .matches("jobs:[ab]\t" + other.clientId() + ":-\\d+\tweb-3\t\\d+\\.\\d s\texclusive"));
            assertThat(one.isValid() && two.isValid() && three.isValid()).isTrue();
        }
    }

    /** The locks are those of the database in the address. */
    @Test
    void ls_database() {
        try (Holdfast third = Holdfast.connect(server.uri() + "/3");
                Lease lease = third.getLock("jobs").acquire()) {
            Invocation ls = Invocation.start(server.uri() + "/3", "ls");
            assertThat(ls.exitCode()).isZero();
            assertThat(ls.out()).isEqualTo("jobs\n");
            assertThat(run("ls").out()).isEmpty();
            assertThat(lease.isValid()).isTrue();
        }
    }

    /** A Redis user that has the rights that the help names can list the locks. */
    @Test
    void ls_needsRightsOfItsHelp() {
        Matcher rights = Pattern.compile("needs the rights ([^,.]+)").matcher(Command.LS.description());
        assertThat(rights.find()).isTrue();
        server.setUser("lister", "secret", rights.group(1).split(" ", -1));
        try (Lease lease = other.getLock("jobs").acquire()) {
            Invocation ls = Invocation.start(server.uri().replace("redis://", "redis://lister:secret@"), "ls");

            assertThat(ls.exitCode()).as(ls.err()).isZero();
            assertThat(ls.out()).isEqualTo("jobs\n");
            assertThat(lease.isValid()).isTrue();
        }
    }

    /** No command repeats the password of a malformed address. */
    @Test
    void address_malformed_passwordIsNotRepeated() {
        for (String command : new String[] {"ls", "who"}) {
            for (String password : new String[] {"sec ret", "sec/ret", "sec#ret"}) {
                Invocation run = Invocation.start("redis://:" + password + "@host", command, "jobs");
                assertThat(run.exitCode()).isEqualTo(64);
                assertThat(run.err())
                        .startsWith("holdfast: the address of Redis is wrong")
                        .doesNotContain("sec", "ret@");
            }
        }
    }

    /** A lock is forced open only if that is confirmed, and the exit code says whether there was an owner. */
    @Test
    void release_force() {
        Lease lease = other.getLock("jobs").acquire();
        Invocation unconfirmed = run("release", "jobs");
        assertThat(unconfirmed.exitCode()).isEqualTo(64);
        assertThat(unconfirmed.err()).contains("--force");
        assertThat(server.keys()).contains("jobs");

        assertThat(run("release", "--force", "jobs").exitCode()).isZero();
        assertThat(server.keys()).doesNotContain("jobs");
        assertThat(run("release", "jobs", "--force").exitCode()).isEqualTo(1);
        assertThat(lease.releaseAsync()).isNotNull();
    }

    /** Waits until the owner has released the lock, at most for the wait, and leaves the lock free. */
    @Test
    void wait_untilFree() {
        Lease lease = other.getLock("jobs").acquire();
        assertThat(run("wait", "--wait", "10ms", "jobs").exitCode()).isEqualTo(75);
        Invocation waiting = run("wait", "jobs");
        eventually(() -> Long.valueOf(1L).equals(server.command("HEXISTS", "jobs", "line")));
        assertThat(waiting.isRunning()).isTrue();
        lease.close();

        assertThat(waiting.exitCode()).isZero();
        assertThat(server.keys()).doesNotContain("jobs");
    }

    /** The help needs no Redis, and neither does the version. */
    @Test
    void help_isPrinted() {
        assertThat(Invocation.start("", "--help")).satisfies(help -> {
            assertThat(help.exitCode()).isZero();
            assertThat(help.out()).isEqualTo(Help.overview());
        });
        Invocation run = Invocation.start("", "help", "run");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).isEqualTo(Help.of(Command.RUN));
        assertThat(Invocation.start("", "--version").exitCode()).isZero();
    }
}
