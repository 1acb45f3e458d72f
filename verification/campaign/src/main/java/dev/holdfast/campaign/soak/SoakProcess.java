package dev.holdfast.campaign.soak;

import dev.holdfast.Holdfast;
import dev.holdfast.campaign.worker.Leftovers;
import dev.holdfast.campaign.worker.Stacks;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A process of a soak, with some clients. Executes orders one after the other. It does not outlive its parent: at the end of its
 * standard input, which only the parent holds open, it exits at once.
 */
final class SoakProcess {
    /** Clients that had waiters for conditions stay registered for a watchdog timeout, on a machine that does much else. */
    private static final Duration CLEAN_UP = Duration.ofSeconds(30);

    private final PrintStream parent;
    private final BlockingQueue<SoakOrder> orders = new LinkedBlockingQueue<>();
    private final Gate gate = new Gate();
    private final AtomicLong failed = new AtomicLong();
    /** By their indexes; used by the main thread only, as the next field is. */
    private final Map<Integer, SoakClient> clients = new TreeMap<>();

    private final List<WeakReference<Holdfast>> closed = new ArrayList<>();

    private SoakProcess(PrintStream parent) {
        this.parent = parent;
    }

    /** Executes orders until the input ends. */
    public static void main(String[] args) {
        PrintStream parent = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // the original stream is for replies only
        new SoakProcess(parent).run();
    }

    private void run() {
        Thread reader = new Thread(this::read, "orders");
        reader.setDaemon(true);
        reader.start();
        try {
            answer(new SoakAnswer.Ready());
            while (true) {
                carryOut(orders.take());
            }
        } catch (Exception e) {
            e.printStackTrace();
            answer(new SoakAnswer.Failed(String.valueOf(e)));
            Runtime.getRuntime().halt(1);
        }
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

    private SoakAnswer rested() throws InterruptedException {
        List<String> left = new ArrayList<>(Leftovers.within(CLEAN_UP, this::residue));
        Needs needs = Needs.now();
        closed.removeIf(client -> client.refersTo(null));
        if (!closed.isEmpty()) {
            left.add(closed.size() + " closed clients in the heap");
        }
        return new SoakAnswer.Rested(needs.heap(), needs.threads(), needs.descriptors(), failed.get(), left);
    }

    private List<String> residue() {
        return clients.entrySet().stream()
                .filter(client -> !client.getValue().residue().isEmpty())
                .map(client ->
                        "client " + client.getKey() + ": " + client.getValue().residue())
                .toList();
    }

    private synchronized void answer(SoakAnswer answer) {
        parent.println(SoakAnswer.LINES.write(answer));
    }

    /** {@link SoakOrder.Explain} is executed at once, not queued: it is sent when an earlier order does not end. */
    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                SoakOrder order = SoakOrder.LINES.read(line);
                if (order instanceof SoakOrder.Explain) {
                    Stacks.print();
                } else {
                    orders.add(order);
                }
            }
        } catch (IOException gone) {
            // The parent has ended.
        }
        Runtime.getRuntime().halt(1);
    }
}
