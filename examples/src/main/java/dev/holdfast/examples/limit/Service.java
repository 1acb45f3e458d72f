package dev.holdfast.examples.limit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * A service that answers each call after a while, and counts. Each worker has one connection, on which a call is a line with the
 * worker and its number, and the answer is a line.
 */
final class Service implements AutoCloseable {
    /** How long a call takes. */
    private static final Duration ANSWER = Duration.ofMillis(20);

    private final ServerSocket server;
    private final Occupancy occupancy;
    private volatile Endless endless = new Endless(-1);

    private Service(ServerSocket server, int workers) {
        this.server = server;
        this.occupancy = new Occupancy(workers);
    }

    static Service start(int workers) throws IOException {
        Service service = new Service(new ServerSocket(0, workers, InetAddress.getLoopbackAddress()), workers);
        start("service", service::accept);
        return service;
    }

    private static void start(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return server.getLocalPort();
    }

    Occupancy occupancy() {
        return occupancy;
    }

    /** Never answers the next call of a worker, which ends with its connection. */
    Endless endless(int worker) {
        endless = new Endless(worker);
        return endless;
    }

    private void accept() {
        while (true) {
            try {
                Socket worker = server.accept();
                start("calls", () -> serve(worker));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket connection) {
        try (connection;
                BufferedReader calls =
                        new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8));
                PrintStream answers = new PrintStream(connection.getOutputStream(), true, StandardCharsets.UTF_8)) {
            for (String call = calls.readLine(); call != null; call = calls.readLine()) {
                String[] words = call.split(" ", -1);
                serve(Integer.parseInt(words[0]), Integer.parseInt(words[1]), calls);
                answers.println("done");
            }
        } catch (IOException killed) {
            // The worker was killed.
        }
    }

    private void serve(int worker, int number, BufferedReader calls) throws IOException {
        Endless call = endless;
        boolean isEndless = call.worker == worker;
        occupancy.begin(worker, number);
        try {
            if (isEndless) {
                call.number.complete(number);
                calls.readLine(); // until the connection ends: no call follows one that was not answered
            } else {
                LockSupport.parkNanos(ANSWER.toNanos());
            }
        } finally {
            occupancy.end(number);
            if (isEndless) {
                call.end.complete(null);
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    /** A call without an answer. */
    static final class Endless {
        private final int worker;
        private final CompletableFuture<Integer> number = new CompletableFuture<>();
        private final CompletableFuture<Void> end = new CompletableFuture<>();

        private Endless(int worker) {
            this.worker = worker;
        }

        /** {@return its number, when it has begun} */
        CompletableFuture<Integer> number() {
            return number;
        }

        /** {@return completes when its connection has ended} */
        CompletableFuture<Void> end() {
            return end;
        }
    }
}
