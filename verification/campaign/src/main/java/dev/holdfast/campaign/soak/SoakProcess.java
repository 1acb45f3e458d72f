package dev.holdfast.campaign.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.holdfast.Holdfast;
import dev.holdfast.campaign.worker.Leftovers;
import dev.holdfast.campaign.worker.Orders;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/** A process of a soak, with some clients. */
final class SoakProcess {
    /** Clients that had waiters for conditions stay registered for a watchdog timeout, on a machine that does much else. */
    private static final Duration CLEAN_UP = Duration.ofSeconds(30);

    private final Orders<SoakOrder> orders = new Orders<>(SoakOrder.LINES);
    private final Gate gate = new Gate();
    private final AtomicLong failed = new AtomicLong();
    /** By their indexes; used by the main thread only, as the next field is. */
    private final Map<Integer, SoakClient> clients = new TreeMap<>();

    private final List<WeakReference<Holdfast>> closed = new ArrayList<>();

    private SoakProcess() {}

    /** Executes orders until the input ends. */
    public static void main(String[] args) {
        SoakProcess process = new SoakProcess();
        process.orders.carryOut(process::carryOut, reason -> process.answer(new SoakAnswer.Failed(reason)));
    }

    private void carryOut(SoakOrder order) throws InterruptedException {
        if (order instanceof SoakOrder.Open open) {
            clients.put(open.client(), SoakClient.open(open, gate, this::answer, failed));
            answer(new SoakAnswer.Opened(open.client()));
        } else if (order instanceof SoakOrder.Close close) {
            closed.add(clients.remove(close.client()).close());
            answer(new SoakAnswer.Closed(close.client()));
        } else if (order instanceof SoakOrder.Rest) {
            gate.close();
            answer(rested());
        } else {
            gate.open();
        }
    }

    /** {@return the needs of this process, after collections: the second one frees what the first one has found to be unreachable} */
    private SoakAnswer rested() throws InterruptedException {
        List<String> left = new ArrayList<>(Leftovers.within(CLEAN_UP, this::residue));
        System.gc();
        System.gc();
        closed.removeIf(client -> client.refersTo(null));
        if (!closed.isEmpty()) {
            left.add(closed.size() + " closed clients in the heap");
        }
        var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return new SoakAnswer.Rested(
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                ManagementFactory.getThreadMXBean().getThreadCount(),
                system.getOpenFileDescriptorCount(),
                failed.get(),
                left);
    }

    private List<String> residue() {
        return clients.entrySet().stream()
                .filter(client -> !client.getValue().residue().isEmpty())
                .map(client ->
                        "client " + client.getKey() + ": " + client.getValue().residue())
                .toList();
    }

    private void answer(SoakAnswer answer) {
        orders.reply(SoakAnswer.LINES.write(answer));
    }
}
