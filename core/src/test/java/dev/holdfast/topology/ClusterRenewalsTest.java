package dev.holdfast.topology;

import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.topology.ClusterNode;
import dev.holdfast.testkit.topology.RedisCluster;
import dev.holdfast.testkit.topology.Slots;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The commands by which the holds of a client of a cluster are verified and renewed. */
@Tag("topology")
@Tag("driver")
@Tag("slow")
class ClusterRenewalsTest {
    /** Locks of one slot, and as many whose slots differ. */
    private static final int LOCKS = 20;

    private static final Duration WATCHDOG_TIMEOUT = Duration.ofSeconds(6);

    @AutoClose
    private final RedisCluster cluster =
            RedisCluster.builder().proxied().replicasPerMaster(0).start();

    /** How many scripts were in each flush of each channel. */
    private final Map<Channel, List<Integer>> flushes = new ConcurrentHashMap<>();

    private final ClientResources resources = ClientResources.builder()
            .nettyCustomizer(new NettyCustomizer() {
                @Override
                public void afterChannelInitialized(Channel channel) {
                    List<Integer> ofChannel = new CopyOnWriteArrayList<>();
                    flushes.put(channel, ofChannel);
                    channel.pipeline().addFirst(new FlushCounter(ofChannel));
                }
            })
            .build();

    private final Holdfast client = Holdfast.builder()
            .redisUri(cluster.uris().get(0))
            .clientResources(resources)
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

    /** The client first: it uses the resources until it is closed. */
    @AfterEach
    void close() {
        client.close();
        resources.shutdown(0, 2, TimeUnit.SECONDS).syncUninterruptibly();
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

    /**
     * The commands of all slots of a master leave in one flush, if the I/O thread begins to write when all have been sent.
     * (So it is when it is busy.) A tick of the timer that was held up leaves some of the renewals to the next one, and
     * they are due at different times again; so each master must have had one such flush, and not every flush must be one.
     */
    @Test
    void holds_ofOneMaster_shareAFlush() {
        names.forEach(name -> client.getLock(name).lock());
        slots.keySet().forEach(master -> master.proxy().resetCounters());
        slots.keySet().forEach(master -> master.proxy().cutFin());
        awaitOneScriptForEachSlot("the verification");
        flushes.values().forEach(List::clear);
        slots.forEach((master, count) ->
                eventually(() -> assertThat(flushesTo(master)).contains(count.intValue())));
    }

    private List<Integer> flushesTo(ClusterNode master) {
        return flushes.entrySet().stream()
                .filter(each -> each.getKey().remoteAddress() instanceof InetSocketAddress remote
                        && remote.getPort() == master.proxy().port())
                .flatMap(each -> each.getValue().stream())
                .toList();
    }

    /**
     * Counts the scripts in each flush of a channel. The first script after a flush is written when the timer has sent all
     * that is due.
     */
    private static final class FlushCounter extends ChannelOutboundHandlerAdapter {
        private static final String SCRIPT = "EVALSHA";

        private final List<Integer> flushes;
        private int scripts;

        FlushCounter(List<Integer> flushes) {
            this.flushes = flushes;
        }

        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) throws Exception {
            if (message instanceof ByteBuf command
                    && command.toString(StandardCharsets.US_ASCII).contains(SCRIPT)) {
                if (scripts == 0) {
                    eventually(FlushCounter::isTimerIdle);
                }
                scripts++;
            }
            super.write(context, message, promise);
        }

        private static boolean isTimerIdle() {
            return Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("holdfast-timer"))
                    .allMatch(thread -> thread.getState() == Thread.State.TIMED_WAITING);
        }

        @Override
        public void flush(ChannelHandlerContext context) throws Exception {
            if (scripts > 0) {
                flushes.add(scripts);
                scripts = 0;
            }
            super.flush(context);
        }
    }
}
