package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a client keeps for a master whose locks it does not use at present. */
@Tag("topology")
@Tag("driver")
class IdleNodeTest {
    private static final int MASTERS = 6;

    /** Two connections of the driver with their handlers and queues. */
    private static final long MOST_BYTES = 64 * 1024;

    private static final Pattern TOTAL = Pattern.compile("^Total\\s+\\d+\\s+(\\d+)", Pattern.MULTILINE);

    /** A master that was used costs little heap, once the connections are closed by which others were asked about it. */
    @Test
    void idle_costsLittleHeap() throws JMException {
        try (RedisCluster cluster =
                RedisCluster.builder().masters(MASTERS).replicasPerMaster(0).start()) {
            try (Holdfast warmUp = Holdfast.connect(cluster.uris().get(0))) {
                useAll(cluster, warmUp);
            }
            try (Holdfast client = Holdfast.connect(cluster.uris().get(0))) {
                client.getLock(cluster.keyAt(cluster.masters().get(0)))
                        .acquire()
                        .close();
                eventually(client::isConnected);
                long one = liveBytes();
                useAll(cluster, client);
                eventually(() -> {
                    long perNode = (liveBytes() - one) / (MASTERS - 1);
                    System.out.println("The heap of an idle node: " + perNode + " bytes");
                    assertThat(perNode).isLessThan(MOST_BYTES);
                });
            }
        }
    }

    private static void useAll(RedisCluster cluster, Holdfast client) {
        for (ClusterNode master : cluster.masters()) {
            client.getLock(cluster.keyAt(master)).acquire().close();
        }
        eventually(client::isConnected);
    }

    /** {@return the bytes of all live objects, by the total of the class histogram} */
    private static long liveBytes() throws JMException {
        Object histogram = ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        Matcher total = TOTAL.matcher(String.valueOf(histogram));
        assertThat(total.find()).isTrue();
        return Long.parseLong(total.group(1));
    }
}
