package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Replication passes the proxy like any connection, although it is no exchange of frames. */
final class FaultProxyReplicationTest {
    /** Longer than the parts in which the kernel delivers it, and full of what would be the start of a frame. */
    private static final String MISLEADING = "\n*1000000\r\n$1000000\r\n".repeat(10_000);

    @RegisterExtension
    final Fronted fronted = new Fronted();

    /** A replica behind the proxy gets the data of its master at first, and each later write at once. */
    @Test
    void replica_inSync() {
        RedisServer master = fronted.server();
        master.command("SET", "before", MISLEADING);
        try (RedisServer replica = replicaThroughProxy()) {
            assertThat(replica.command("GET", "before")).isEqualTo(MISLEADING);
            for (int i = 0; i < 10; i++) {
                String key = "after" + i;
                master.command("SET", key, MISLEADING);
                await().atMost(ProcessChecks.TIMEOUT).until(() -> MISLEADING.equals(replica.command("GET", key)));
            }
        }
    }

    /** The connection of a replica can be told from those of clients, and faults apply to it. */
    @Test
    void replica_cutOff() throws IOException {
        try (RedisServer replica = replicaThroughProxy();
                RespConnection client = RespConnection.to(fronted.server(), ProcessChecks.TIMEOUT)) {
            assertThat(fronted.proxy().connections())
                    .filteredOn(ProxiedConnection::isReplication)
                    .hasSize(1);
            fronted.proxy().matching(ProxiedConnection::isReplication).blackHole(Direction.REPLIES);
            client.call("SET", "key", "value");
            assertThat(client.call("WAIT", "1", "200")).isEqualTo(0L);
            assertThat(replica.command("GET", "key")).isNull();
            fronted.proxy().heal();
            assertThat(client.call("WAIT", "1", "10000")).isEqualTo(1L);
            assertThat(replica.command("GET", "key")).isEqualTo("value");
        }
    }

    private RedisServer replicaThroughProxy() {
        RedisServer replica = RedisServer.builder()
                .config(
                        "replicaof",
                        "127.0.0.1",
                        Integer.toString(fronted.proxy().port()))
                .start();
        await().atMost(ProcessChecks.TIMEOUT)
                .until(() -> replica.info("master_link_status").equals("up"));
        return replica;
    }
}
