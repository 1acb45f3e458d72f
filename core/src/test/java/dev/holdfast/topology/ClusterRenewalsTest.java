package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.Slots;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands by which the holds of a client of a cluster are verified and renewed. */
@Tag("topology")
class ClusterRenewalsTest {
    /** Locks of one slot, and as many whose slots differ. */
    private static final int LOCKS = 20;

    private static final Duration WATCHDOG_TIMEOUT = Duration.ofSeconds(6);

    @AutoClose
    private final RedisCluster cluster =
            RedisCluster.builder().proxied().replicasPerMaster(0).start();

    @AutoClose
    private final Holdfast client = Holdfast.builder()
            .redisUri(cluster.uris().get(0))
            .watchdogTimeout(WATCHDOG_TIMEOUT)
            .build();

    private final List<String> names = IntStream.range(0, LOCKS)
            .boxed()
            .flatMap(i -> Stream.of("{together}:" + i, "apart:" + i))
            .toList();

    /** How many slots have locks at each master. */
    private final Map<ClusterNode, Long> slots =
            cluster.masters().stream().collect(Collectors.toMap(Function.identity(), this::slotsAt));

    private long slotsAt(ClusterNode master) {
        return names.stream()
                .mapToInt(Slots::of)
                .distinct()
                .filter(slot -> cluster.masterOf(slot) == master)
                .count();
    }

    private void awaitOneScriptForEachSlot(String of) {
        slots.forEach((master, count) -> eventually(
                () -> assertThat(master.proxy().commands("EVALSHA")).as(of).isEqualTo(count)));
    }

    /**
     * After an outage all holds are verified at once, by one command for each slot, however many of them are in it. So they
     * are renewed together from then on, by as many commands.
     */
    @Test
    void holds_ofOneSlot_shareACommand() {
        List<Lease> held = new ArrayList<>();
        names.forEach(name -> held.add(client.getLock(name).acquire()));
        assertThat(slots.values()).allMatch(count -> count > 1);
        slots.keySet().forEach(master -> master.proxy().resetCounters());
        slots.keySet().forEach(master -> master.proxy().cutFin());
        awaitOneScriptForEachSlot("the verification");
        slots.keySet().forEach(master -> master.proxy().resetCounters());
        awaitOneScriptForEachSlot("the next renewal");
        assertThat(held).allMatch(Lease::isValid);
        held.forEach(lease -> get(lease.releaseAsync()));
    }
}
