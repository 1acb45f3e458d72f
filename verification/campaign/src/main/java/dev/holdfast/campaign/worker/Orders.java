package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.text.Lines;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/**
 * The orders to this process, which is a {@link ChildJvm}, and its replies. It does not outlive its parent: at the end of its standard
 * input, which only the parent holds open, it exits at once.
 *
 * @param <O> the type of the orders
 */
public final class Orders<O> {
    /** The line upon which the process writes the stacks of its threads: at once, since it is sent when an order does not end. */
    static final String EXPLAIN = "Explain";

    private final Lines<O> lines;
    private final PrintStream parent =
            new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    private final BlockingQueue<O> orders = new LinkedBlockingQueue<>();

    /** @param lines the text form of the orders */
    public Orders(Lines<O> lines) {
        this.lines = lines;
        System.setOut(System.err); // the original stream is for replies only
    }

    /** Executes an order. */
    @FunctionalInterface
    public interface Execution<O> {
        void execute(O order) throws InterruptedException;
    }

    /**
     * Executes orders one after the other, until the input ends.
     *
     * @param failed receives the reason when one fails, with which the process ends
     */
    public void carryOut(Execution<O> execution, Consumer<String> failed) {
        Thread reader = new Thread(this::read, "orders");
        reader.setDaemon(true);
        reader.start();
        try {
            while (true) {
                execution.execute(orders.take());
            }
        } catch (Exception e) {
            e.printStackTrace();
            failed.accept(String.valueOf(e));
            Runtime.getRuntime().halt(1);
        }
    }

    /** Sends a line to the parent. */
    public synchronized void reply(String line) {
        parent.println(line);
    }

    private void read() {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                if (line.equals(EXPLAIN)) {
                    Stacks.print();
                } else {
                    orders.add(lines.read(line));
                }
            }
        } catch (IOException gone) {
            // The parent has ended.
        }
        Runtime.getRuntime().halt(1);
    }
}
