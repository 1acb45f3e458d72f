package dev.holdfast.cli;

import static dev.holdfast.cli.ProcessWait.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.Permits;
import dev.holdfast.SemaphoreInfo;
import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** Permits of a semaphore: {@code holdfast run --permits}, and the commands that show or release them. */
@TestInstance(Lifecycle.PER_CLASS)
final class PermitsTest {
    private static final String CLIENT = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

    private final RedisServer server = RedisServer.builder().start();
    private final Holdfast other =
            Holdfast.builder().redisUri(server.uri()).label("web-3").build();
    private final DistributedSemaphore api = other.getSemaphore("api", 3);

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

    private String output(String... words) {
        Invocation run = run(words);
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.err()).isEmpty();
        return run.out();
    }

    /** {@return a command that stores some variables in the file, and runs until that is deleted} */
    private static String recorded(Path file) {
        return "echo $HOLDFAST_LOCK $HOLDFAST_OWNER $HOLDFAST_NUMBER $HOLDFAST_TOKEN > " + file + ".new; mv " + file
                + ".new " + file + "; while [ -e " + file + " ]; do sleep 0.02; done; exit 3";
    }

    private static List<String> words(Path file) throws IOException {
        return List.of(Files.readString(file).strip().split(" ", -1));
    }

    // --- Run.

    /** Commands run at the same time up to the limit, each with a number of its own; none beyond it. */
    @Test
    void run_upToTheLimit(@TempDir Path directory) throws IOException {
        List<Path> files = Stream.of("a", "b").map(directory::resolve).toList();
        List<Invocation> runs = files.stream()
                .map(file -> run("run", "--permits", "2", "-c", "api", "--", recorded(file)))
                .toList();
        eventually(() -> files.stream().allMatch(Files::exists));
        Invocation third = run("run", "--permits", "2", "--wait", "0", "api", "--", "true");
        assertThat(third.exitCode()).isEqualTo(75);
        assertThat(third.err())
                .isEqualTo("holdfast: semaphore 'api' has too few free permits, or others wait for them\n");

        List<SemaphoreInfo.Holder> holders = api.inspect().holders();
        List<String> one = words(files.get(0));
        List<String> two = words(files.get(1));
        assertThat(List.of(one.get(2), two.get(2))).containsExactlyInAnyOrder("0", "1");
        assertThat(holders.stream().map(holder -> List.of("api", holder.owner(), "" + holder.number())))
                .containsExactlyInAnyOrder(one, two);
        for (int i = 0; i < 2; i++) {
            Files.delete(files.get(i));
            assertThat(runs.get(i).exitCode()).isEqualTo(3);
            assertThat(runs.get(i).err()).isEmpty();
        }
        assertThat(server.keys()).isEmpty();
    }

    /** A command that takes several permits waits in line until these are free, and has a lease under which it can run. */
    @Test
    void run_take_waits(@TempDir Path directory) {
        Permits two = api.acquire(2);
        Path file = directory.resolve("a");
        Invocation run =
                run("run", "--permits", "3", "--take", "3", "--label", "batch", "-c", "api", "--", recorded(file));
        eventually(() -> api.inspect().line().size() == 1);
        assertThat(output("who", "api"))
                .endsWith("in line   1\nwaits     " + waiter() + "\nlabel     batch\nfor       3 of 3\n");
        assertThat(api.inspect().held()).isEqualTo(2);
        two.close();

        eventually(() -> Files.exists(file));
        assertThat(api.inspect().held()).isEqualTo(3);
        assertThat(file.toFile().delete()).isTrue();
        assertThat(run.exitCode()).isEqualTo(3);
    }

    private String waiter() {
        return api.inspect().line().get(0).owner();
    }

    /** With an explicit lease and a wait, as for a lock: the command is ended before its permit is free by itself. */
    @Test
    void run_lease_isEnded(@TempDir Path directory) {
        ShellCommand command = ShellCommand.obedient(directory);
        Invocation run = run("run", "--permits=3", "--lease=1s", "--wait=1s", "-c", "api", "--", command.line());
        ShellCommand.awaitEnd(command.processes());

        assertThat(run.exitCode()).isEqualTo(70);
        assertThat(run.err()).startsWith("holdfast: semaphore 'api' is at risk: the command is told to end\n");
    }

    /** The permits of an owner are released by force: its command is killed at the next renewal, and others keep theirs. */
    @Test
    void release_owner(@TempDir Path directory) {
        ShellCommand command = ShellCommand.stubborn(directory);
        try (Permits mine = api.acquire()) {
            Invocation run = run("run", "--permits=3", "--watchdog=3s", "-c", "api", "--", command.line());
            ProcessHandle[] processes = command.processes();
            String owner = api.inspect().holders().get(1).owner();
            assertThat(run("release", "--owner", owner, "api").exitCode()).isEqualTo(64);
            output("release", "--force", "--owner", owner, "api");
            assertThat(run("release", "--force", "--owner", owner, "api").exitCode())
                    .isEqualTo(1);
            assertThat(api.inspect().held()).isEqualTo(1);

            ShellCommand.awaitEnd(processes);
            assertThat(run.exitCode()).isEqualTo(70);
            assertThat(run.err()).contains("under a permit that was lost: semaphore 'api' of owner " + owner);
            assertThat(mine.isValid()).isTrue();
        }
    }

    // --- Who, and ls.

    /** Each owner of permits is shown, with what it has; of a semaphore that is not in use nothing, and the exit code says so. */
    @Test
    void who_showsPermits() {
        String owner =
                "owner     %s:-\\d+\nlabel     %s\npermits   %d\nnumber    %d\nsince     \\S+Z\nlease     \\d+\\.\\d s\n";
        try (Holdfast third =
                        Holdfast.builder().redisUri(server.uri()).label("web-4").build();
                Permits one = api.acquire();
                Permits two = third.getSemaphore("api", 4).acquire(2)) {
            assertThat(output("who", "api"))
                    .matches("semaphore api\nlimit     4\nheld      3\n"
                            + owner.formatted(other.clientId(), "web-3", 1, 0)
                            + owner.formatted(third.clientId(), "web-4", 2, 1) + "in line   0\n");
            assertThat(one.isValid() && two.isValid()).isTrue();
        }
        Invocation free = run("who", "api");
        assertThat(free.exitCode()).isEqualTo(1);
        assertThat(free.out()).isEmpty();
    }

    /** A lock and a semaphore of one name are both shown; so is the semaphore if the name's key is no lock. */
    @Test
    void who_lockAndSemaphore() {
        try (Lease lease = other.getLock("api").acquire();
                Permits permits = api.acquire()) {
            assertThat(output("who", "api"))
                    .matches("lock      api\n(?s:.*)\nin line   0\nsemaphore api\n(?s:.*)\nin line   0\n");
            assertThat(lease.isValid() && permits.isValid()).isTrue();
        }
        server.command("SET", "api", "7");
        try (Permits permits = api.acquire()) {
            Invocation who = run("who", "api");
            assertThat(who.exitCode()).isZero();
            assertThat(who.out()).startsWith("semaphore api\n");
            assertThat(who.err()).contains("lock 'api'");
            assertThat(permits.isValid()).isTrue();
        }
    }

    /** Semaphores are listed behind the locks, those that match by their name, with a brace in it, too. */
    @Test
    void ls_listsSemaphores() {
        try (Lease lease = other.getLock("jobs:a").acquire();
                Permits one = api.acquire();
                Permits two = other.getSemaphore("{jobs}:b", 9).acquire(4);
                Permits three = other.getSemaphore("jobs:b", 2).acquire(2)) {
            CompletableFuture<Permits> waiting = other.getSemaphore("jobs:b", 2).acquireAsync(1);
            try {
                eventually(
                        () -> other.getSemaphore("jobs:b", 2).inspect().line().size() == 1);
                String jobs = "jobs:b\t2 of 2 permits\t1 in line\n{jobs}:b\t4 of 9 permits\t0 in line\n";
                assertThat(output("ls")).isEqualTo("jobs:a\napi\t1 of 3 permits\t0 in line\n" + jobs);
                assertThat(output("ls", "*jobs*:?")).isEqualTo("jobs:a\n" + jobs);
                assertThat(output("ls", "[j]obs:b")).isEqualTo("jobs:b\t2 of 2 permits\t1 in line\n");
                assertThat(output("ls", "holdfast*")).isEmpty();
                assertThat(output("ls", "-l", "*b"))
                        .matches("jobs:b\t" + CLIENT + ":-\\d+\tweb-3\t\\d+\\.\\d s\t2 of 2 permits\tnumber 0\n"
                                + "\\{jobs}:b\t" + CLIENT + ":-\\d+\tweb-3\t\\d+\\.\\d s\t4 of 9 permits\tnumber 0\n");
                assertThat(Stream.of(lease, one, two, three)).allMatch(Lease::isValid);
            } finally {
                waiting.cancel(false);
            }
        }
    }

    /** A semaphore whose holders have all died is listed no more when their leases have ended, though its key is there. */
    @Test
    void ls_leasesEnded() {
        Permits permits = api.acquire(1, Duration.ofMillis(100));
        eventually(() -> api.inspect().holders().isEmpty());

        assertThat(server.keys()).containsExactly("holdfast_semaphore:{api}");
        assertThat(output("ls")).isEmpty();
        assertThat(run("who", "api").exitCode()).isEqualTo(1);
        assertThat(permits.isValid()).isFalse();
    }

    /** A user that may not read semaphores has the locks, and is told what is left out. */
    @Test
    void rights_forLocksAlone() {
        server.setUser("locks", "secret", "~api", "+@all");
        String uri = server.uri().replace("redis://", "redis://locks:secret@");
        try (Permits permits = api.acquire()) {
            assertThat(Invocation.start(uri, "who", "api").exitCode()).isEqualTo(1);
            try (Lease lease = other.getLock("api").acquire()) {
                Invocation who = Invocation.start(uri, "who", "api");
                assertThat(who.exitCode()).isZero();
                assertThat(who.out()).startsWith("lock      api\n").doesNotContain("semaphore");
                Invocation ls = Invocation.start(uri, "ls");
                assertThat(ls.exitCode()).isZero();
                assertThat(ls.out()).isEqualTo("api\n");
                assertThat(List.of(who.err(), ls.err())).allSatisfy(err -> assertThat(err.lines())
                        .singleElement()
                        .asString()
                        .startsWith("holdfast: semaphore 'api'")
                        .contains("grant ~holdfast_semaphore:{api}"));
                assertThat(lease.isValid() && permits.isValid()).isTrue();
            }
        }
    }
}
