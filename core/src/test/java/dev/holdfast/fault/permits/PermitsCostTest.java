package dev.holdfast.fault.permits;

import static dev.holdfast.FaultyRedis.TIMEOUT;
import static dev.holdfast.FaultyRedis.elsewhere;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Permits;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How many commands it takes to acquire permits, and to wait for them. */
@Tag("fault")
@Tag("slow")
final class PermitsCostTest {
    private static final String NAME = "wanted by many";

    @AutoClose
    private final RedisServer server = RedisServer.start();

    private final List<Holdfast> clients = new ArrayList<>();

    @AfterEach
    void closeClients() {
        clients.forEach(Holdfast::close);
    }

    private DistributedSemaphore another(int permits) {
        Holdfast client = Holdfast.connect(server.uri());
        clients.add(client);
        return client.getSemaphore(NAME, permits);
    }

    private long calls(String command) {
        Matcher calls = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)")
                .matcher(String.valueOf(server.command("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    private long scripts() {
        return calls("evalsha") + calls("eval");
    }

    /** However many clients compete, it takes two scripts to acquire permits and release them: one that asks, one that grants. */
    @Test
    void acquisition_twoScripts() {
        int turns = 100;
        int threads = 2;
        List<DistributedSemaphore> semaphores = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            semaphores.add(another(4));
        }
        pass(semaphores, threads, 5);
        long before = scripts();

        pass(semaphores, threads, turns);

        double each = (double) (scripts() - before) / (semaphores.size() * threads * turns);
        assertThat(each).isBetween(1.0, 2.2);
    }

    /** Each of so many threads of each client acquires a permit so often. */
    private static void pass(List<DistributedSemaphore> semaphores, int threads, int turns) {
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (int i = 0; i < semaphores.size() * threads; i++) {
            DistributedSemaphore semaphore = semaphores.get(i % semaphores.size());
            ends.add(elsewhere(() -> {
                for (int turn = 0; turn < turns; turn++) {
                    semaphore.acquire().close();
                }
                return null;
            }));
        }
        ends.forEach(end -> get(end));
    }

    /** While many clients wait for permits that are held, fewer than three scripts a second are run for all of them. */
    @Test
    void waiting_fewScripts() {
        int waiters = 64;
        DistributedSemaphore holder = another(4);
        Permits held = holder.acquire(4);
        List<CompletableFuture<Permits>> waiting = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            waiting.add(another(4).acquireAsync());
        }
        await().atMost(TIMEOUT).until(() -> holder.inspect().line().size() == waiters);
        Duration watched = Duration.ofSeconds(6);
        long begun = System.nanoTime();
        long before = scripts();

        await().pollDelay(watched).atMost(TIMEOUT).until(() -> true);

        long seconds = FaultyRedis.since(begun).toSeconds() + 1;
        assertThat(scripts() - before).isLessThan(3 * seconds);
        held.close();
        waiting.forEach(granted -> get(granted).close());
    }
}
