package dev.holdfast.script;

import static dev.holdfast.script.RawScripts.CHANNEL;
import static dev.holdfast.script.RawScripts.LEASE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Patience;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the scripts of the semaphore cost the server. */
@Tag("script")
final class SemaphoreScriptCostTest {
    @AutoClose
    private static final RawScripts scripts = new RawScripts();

    /** The commands that Redis executes for a release that grants, and for joining the line, do not grow with the holders. */
    @Test
    void cost_doesNotGrow() {
        assertThat(commandsOfATurn(1_000, 250)).isEqualTo(commandsOfATurn(4, 2));
    }

    private static long commandsOfATurn(int holders, int waiting) {
        try (Crowd crowd = new Crowd(holders, waiting)) {
            crowd.turn().forEach(Patience::get);
            scripts.server().command("CONFIG", "RESETSTAT");
            crowd.turn().forEach(Patience::get);
            return Stream.of(String.valueOf(scripts.server().command("INFO", "commandstats"))
                            .split(":calls="))
                    .skip(1)
                    .mapToLong(calls -> Long.parseLong(calls.replaceFirst("(?s),.*", "")))
                    .sum();
        }
    }

    /** Clients with one permit each, and others in line; in each turn the first of them goes to its end. */
    private static final class Crowd implements AutoCloseable {
        private final StatefulRedisPubSubConnection<String, String> subscriptions = scripts.connectToAll();
        private final String name = scripts.newLock();
        private final int holders;
        private final Deque<Integer> clients = new ArrayDeque<>();
        private final int[] tenures;
        private int tenure;

        Crowd(int holders, int waiting) {
            this.holders = holders;
            this.tenures = new int[holders + waiting];
            subscriptions
                    .sync()
                    .subscribe(IntStream.range(0, holders + waiting)
                            .mapToObj(i -> CHANNEL + ":w" + i)
                            .toArray(String[]::new));
            List<CompletableFuture<Object>> joined = new ArrayList<>();
            for (int client = 0; client < holders + waiting; client++) {
                clients.add(client);
                joined.add(join(client));
            }
            joined.forEach(Patience::get);
        }

        private CompletableFuture<Object> join(int client) {
            tenures[client] = ++tenure;
            return scripts.begin(
                    "sem-acquire.lua",
                    List.of(name),
                    "w" + client + ":-1",
                    tenure,
                    1,
                    holders,
                    LEASE.toMillis(),
                    "",
                    CHANNEL,
                    "PUBLISH",
                    LEASE.toMillis());
        }

        List<CompletableFuture<Object>> turn() {
            int client = clients.remove();
            clients.add(client);
            return List.of(
                    scripts.begin(
                            "sem-release.lua",
                            List.of(name),
                            "w" + client + ":-1",
                            tenures[client],
                            CHANNEL,
                            "PUBLISH"),
                    join(client));
        }

        @Override
        public void close() {
            subscriptions.close();
            scripts.redis().del(name);
        }
    }
}
