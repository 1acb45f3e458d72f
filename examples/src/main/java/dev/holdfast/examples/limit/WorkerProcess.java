package dev.holdfast.examples.limit;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Holdfast;
import dev.holdfast.Permits;
import dev.holdfast.examples.ChildJvm;
import dev.holdfast.examples.Metrics;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * A process that calls the service again and again, each time with a permit, from the first line of its standard input on. It ends
 * with its connection to the service.
 */
final class WorkerProcess {
    /** The name of the semaphore. */
    private static final String LIMIT = "partner-api";

    private WorkerProcess() {}

    /** Starts a process, which prints a line when it is ready to begin. */
    static ChildJvm start(String redisUri, int port, int permits, Duration lease, int worker) {
        return ChildJvm.start(
                WorkerProcess.class,
                List.of(
                        redisUri,
                        Integer.toString(port),
                        Integer.toString(permits),
                        lease.toString(),
                        Integer.toString(worker)));
    }

    public static void main(String[] args) throws IOException {
        Metrics metrics = Metrics.ofClient("worker");
        Holdfast holdfast = Holdfast.builder()
                .redisUri(args[0])
                .watchdogTimeout(Duration.parse(args[3]))
                .addListener(metrics.listener())
                .build();
        metrics.watch(holdfast);
        DistributedSemaphore limit = holdfast.getSemaphore(LIMIT, Integer.parseInt(args[2]));
        metrics.watch(limit);
        try (Socket service = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[1]));
                PrintStream calls = new PrintStream(service.getOutputStream(), true, StandardCharsets.UTF_8);
                BufferedReader answers =
                        new BufferedReader(new InputStreamReader(service.getInputStream(), StandardCharsets.UTF_8))) {
            System.out.println("ready");
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            String answer = "";
            while (answer != null) {
                try (Permits permit = limit.acquire()) {
                    calls.println(args[4] + " " + permit.number());
                    answer = answers.readLine();
                }
            }
        }
        System.exit(0);
    }
}
