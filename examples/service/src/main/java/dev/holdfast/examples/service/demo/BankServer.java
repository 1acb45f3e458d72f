package dev.holdfast.examples.service.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The bank: authorises every payment, after a while. An instance that waits for its reply has read the stock and has not
 * written it yet, so this is where a sale is interrupted.
 */
final class BankServer implements AutoCloseable {
    private static final Duration LATENCY = Duration.ofMillis(5);
    private static final int OK = 200;
    private static final int NO_BODY = -1;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Runnable> interruptions = new ConcurrentHashMap<>();
    private final HttpServer server;

    private BankServer(HttpServer server) {
        this.server = server;
    }

    static BankServer start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            BankServer bank = new BankServer(server);
            server.createContext("/authorisations/", bank::authorise);
            server.setExecutor(bank.threads);
            server.start();
            return bank;
        } catch (IOException e) {
            throw new UncheckedIOException("the bank cannot be started", e);
        }
    }

    String url() {
        return "http://" + server.getAddress().getHostString() + ":"
                + server.getAddress().getPort();
    }

    /** Runs an action once, before the reply to the next request of this instance: in the middle of a sale. */
    void interruptNext(String instance, Runnable action) {
        interruptions.put(instance, action);
    }

    private void authorise(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            Thread.sleep(LATENCY.toMillis());
            Runnable interruption =
                    interruptions.remove(exchange.getRequestURI().getPath().split("/", -1)[2]);
            if (interruption != null) {
                interruption.run();
            }
            exchange.sendResponseHeaders(OK, NO_BODY);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
