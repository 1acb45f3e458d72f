package dev.holdfast.campaign.worker;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The process of a client. Executes orders one after the other, and replies to each except {@link Order.Explain}. It
 * does not outlive its parent: at the end of its standard input, which only the parent holds open, it exits at once.
 */
final class WorkerProcess {
    private final Resource resource;
    private final PrintStream parent;
    private final BlockingQueue<Order> orders = new LinkedBlockingQueue<>();
    /** Null between rounds; used by the main thread only. */
    private @Nullable ClientRound round;

    private WorkerProcess(Resource resource, PrintStream parent) {
        this.resource = resource;
        this.parent = parent;
    }

    /**
     * Executes orders until the input ends.
     *
     * @param args the URI of the resource
     */
    public static void main(String[] args) {
        PrintStream parent = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // the original stream is for replies only
        new WorkerProcess(Resource.at(args[0]), parent).run();
    }

    private void run() {
        Thread reader = new Thread(this::read, "orders");
        reader.setDaemon(true);
        reader.start();
        try {
            answer(new Answer.Ready());
            while (true) {
                carryOut(orders.take());
            }
        } catch (Exception e) {
            e.printStackTrace();
            failed(String.valueOf(e));
            Runtime.getRuntime().halt(1);
        }
    }

    private void carryOut(Order order) throws InterruptedException {
        if (order instanceof Order.Begin begin) {
            round = ClientRound.begin(begin, resource, this::failed);
            answer(new Answer.Begun());
            return;
        }
        ClientRound current = round;
        if (current == null) {
            throw new IllegalStateException("an order without a round: " + Order.LINES.write(order));
        }
        if (order instanceof Order.Stop) {
            current.stop();
            answer(new Answer.Stopped());
        } else {
            if (order instanceof Order.CloseInUse) {
                current.closeInUse();
            } else {
                current.close();
            }
            round = null;
            answer(new Answer.Closed());
        }
    }

    private void failed(String reason) {
        answer(new Answer.Failed(reason.lines().findFirst().orElse("")));
    }

    private synchronized void answer(Answer answer) {
        parent.println(Answer.LINES.write(answer));
    }

    /**
     * Reads orders. {@link Order.Explain} is executed at once, not queued: it is sent when an earlier order does not
     * end.
     */
    private void read() {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Order order = Order.LINES.read(line);
                if (order instanceof Order.Explain) {
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
