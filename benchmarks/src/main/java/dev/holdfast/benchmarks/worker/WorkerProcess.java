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
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> read(told), "orders");
        reader.setDaemon(true);
        reader.start();
        try {
            run(told, parent);
        } catch (Exception e) {
            e.printStackTrace();
            parent.println(FAILED + String.valueOf(e).lines().findFirst().orElse(""));
        }
        Runtime.getRuntime().halt(0);
    }

    private static void run(BlockingQueue<String> told, PrintStream parent) throws Exception {
        Arena arena = Envelope.open(Arena.class, told.take());
        Task task = Envelope.open(Task.class, told.take());
        Phase.valueOf(told.take());
        try (Contest contest = task.prepare(arena)) {
            parent.println(DONE);
            while (true) {
                switch (Phase.valueOf(told.take())) {
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

    private static void read(BlockingQueue<String> told) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                told.add(line);
            }
        } catch (IOException gone) {
            // Like the end of the input.
        }
        Runtime.getRuntime().halt(1);
    }
}
