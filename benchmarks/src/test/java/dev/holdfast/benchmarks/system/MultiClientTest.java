package dev.holdfast.benchmarks.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Locks that are acquired together, and the counts of what that has undone. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("slow")
@Tag("harness")
class MultiClientTest {
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final List<Member> MEMBERS = List.of(new Member("a", 0), new Member("b", 1), new Member("c", 2));

    private final List<RedisServer> servers =
            Stream.generate(() -> RedisServer.builder().start()).limit(3).toList();

    @AfterEach
    void endServers() {
        servers.forEach(RedisServer::close);
    }

    private MultiClient connect(LockSystem system) {
        return system.connectToAll(servers.stream().map(RedisServer::uri).toList(), LEASE);
    }

    /** Each member is a lock on its own server. Nothing is undone if all are free. */
    @ParameterizedTest
    @EnumSource(names = {"HOLDFAST", "REDISSON"})
    void lock_allFree_holdsOneOnEachServer(LockSystem system) {
        MultiClient client = connect(system);
        BlockingLock lock = client.all(MEMBERS);

        lock.lock();

        assertThat(servers.stream().map(RedisServer::keys)).containsExactly(List.of("a"), List.of("b"), List.of("c"));
        lock.unlock();
        assertThat(servers).allMatch(server -> server.keys().isEmpty());
        assertThat(client.undone()).isZero();
        assertThat(client.restarts()).isZero();
        client.clients().forEach(LockClient::close);
    }

    /** Holdfast releases the members behind the busy one, which were attempted together with it, and waits for that. */
    @Test
    void undone_holdfast_countsWhatIsBehindABusyMember() {
        MultiClient client = connect(LockSystem.HOLDFAST);
        try (LockClient other = LockSystem.HOLDFAST.connect(servers.get(0).uri(), LEASE)) {
            BlockingLock busy = other.lock("a");
            busy.lock();
            CompletableFuture<Void> passed = passesThrough(client);
            // Until they are released again, they may be acquired while the first member's request is still on its way.
            while (client.undone() < 2 || !isFree(servers.get(1)) || !isFree(servers.get(2))) {
                Thread.onSpinWait();
            }
            busy.unlock();

            assertThat(passed).succeedsWithin(20, TimeUnit.SECONDS);
            assertThat(client.undone()).isEqualTo(2);
            assertThat(client.restarts()).isZero();
        }
        client.clients().forEach(LockClient::close);
    }

    /** Redisson waits for the busy member, and releases those before it when that has taken too long. */
    @Test
    void undone_redisson_countsWhatIsBeforeABusyMember() {
        MultiClient client = connect(LockSystem.REDISSON);
        try (LockClient other = LockSystem.REDISSON.connect(servers.get(2).uri(), LEASE)) {
            BlockingLock busy = other.lock("c");
            busy.lock();
            CompletableFuture<Void> passed = passesThrough(client);
            while (client.restarts() == 0) {
                Thread.onSpinWait();
            }
            busy.unlock();

            assertThat(passed).succeedsWithin(20, TimeUnit.SECONDS);
            assertThat(client.undone()).isEqualTo(2 * client.restarts());
        }
        client.clients().forEach(LockClient::close);
    }

    private static boolean isFree(RedisServer server) {
        return server.keys().isEmpty();
    }

    private static CompletableFuture<Void> passesThrough(MultiClient client) {
        return CompletableFuture.runAsync(
                () -> {
                    BlockingLock lock = client.all(MEMBERS);
                    lock.lock();
                    lock.unlock();
                },
                work -> new Thread(work).start());
    }
}
