package dev.holdfast.fault.latch;

import static dev.holdfast.FaultyRedis.TIMEOUT;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.DistributedCountDownLatch;
import dev.holdfast.Holdfast;
import dev.holdfast.Inside;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How many commands it takes to await a latch. */
@Tag("fault")
@Tag("slow")
final class LatchCostTest {
    private static final int CLIENTS = 64;

    private static final int THREADS = 4;

    private static final String NAME = "awaited by many";

    @AutoClose
    private final RedisServer server = RedisServer.start();

    private long calls(String command) {
        Matcher calls = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)")
                .matcher(String.valueOf(server.command("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    private long scripts() {
        return calls("evalsha") + calls("eval");
    }

    /** {@return whether each client has sent its first look, and has the reply to each} */
    private boolean haveLooked(List<Holdfast> clients) {
        long looking = server.clients().stream()
                .filter(connection -> connection.matches(".* cmd=eval(sha)? .*"))
                .count();
        return looking == CLIENTS + 1
                && clients.stream().noneMatch(client -> Inside.residue(client).contains("calls"));
    }

    /** When many clients await a latch and one counts it to zero, each client looks once, however many callers it has. */
    @Test
    void opening_oneLookPerClient() {
        List<Holdfast> clients = new ArrayList<>();
        try (Holdfast one = Holdfast.connect(server.uri())) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Holdfast.connect(server.uri()));
            }
            DistributedCountDownLatch latch = one.getCountDownLatch(NAME);
            latch.trySetCount(2);
            List<CompletableFuture<?>> waiting = new ArrayList<>();
            for (Holdfast client : clients) {
                for (int i = 0; i < THREADS; i++) {
                    waiting.add(client.getCountDownLatch(NAME).awaitAsync());
                }
            }
            await().atMost(TIMEOUT).during(Duration.ofMillis(300)).until(() -> haveLooked(clients));
            latch.countDown();
            long before = scripts();

            latch.countDown();
            waiting.forEach(wait -> get(wait));

            assertThat(scripts() - before).isEqualTo(1 + CLIENTS);
            assertThat(clients).allMatch(client -> client.stats().waiters() == 0);
        } finally {
            clients.forEach(Holdfast::close);
        }
    }
}
