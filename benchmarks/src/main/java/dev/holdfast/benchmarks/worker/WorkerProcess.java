package dev.holdfast.benchmarks.worker;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The process of a worker. Reads its arena and its task, then the names of phases, and replies to each with one line:
 * that it is done, with the tally after the last phase, or the failure. It does not outlive its parent: it ends at once
 * at the end of its standard input, which only the parent holds open.
 */
final class WorkerProcess {
    static final String DONE = "done ";
    static final String FAILED = "failed ";

    private WorkerProcess() {}

    public static void main(String[] args) {
        PrintStream parent = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // the real stdout is for replies only
        BlockingQueue<String> orders = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> read(orders), "orders");
        reader.setDaemon(true);
        reader.start();
        try {
            run(orders, parent);
        } catch (Exception e) {
            e.printStackTrace();
            parent.println(FAILED + String.valueOf(e).lines().findFirst().orElse(""));
        }
        Runtime.getRuntime().halt(0);
    }

    private static void run(BlockingQueue<String> orders, PrintStream parent) throws Exception {
        Arena arena = Envelope.open(Arena.class, orders.take());
        Task task = Envelope.open(Task.class, orders.take());
        Phase.valueOf(orders.take());
        try (Contest contest = task.prepare(arena)) {
            parent.println(DONE);
            while (true) {
                switch (Phase.valueOf(orders.take())) {
                    case START -> contest.start();
                    case OPEN -> contest.open();
                    case SHUT -> contest.shut();
                    case STOP -> {
                        parent.println(DONE + Envelope.seal(contest.stop()));
                        return;
                    }
                    case PREPARE -> throw new IllegalStateException("a worker must be prepared once");
                }
                parent.println(DONE);
            }
        }
    }

    private static void read(BlockingQueue<String> orders) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                orders.add(line);
            }
        } catch (IOException gone) {
            // Like the end of the input.
        }
        Runtime.getRuntime().halt(1);
    }
}
