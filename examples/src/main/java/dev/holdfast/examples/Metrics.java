package dev.holdfast.examples;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Holdfast;
import dev.holdfast.LockListener;
import dev.holdfast.micrometer.HoldfastMeters;
import dev.holdfast.micrometer.SemaphoreMeters;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a process's client, for a Prometheus on this machine: the process serves them on the first free port from
 * {@code METRICS_PORT} on, and on none if that variable is not set.
 */
public final class Metrics implements AutoCloseable {
    private static final String PORT = "METRICS_PORT";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Tag client;
    private final HoldfastMeters meters;
    private final @Nullable HttpServer server;

    private Metrics(String label, @Nullable HttpServer server) {
        this.client = Tag.of("client", label);
        this.meters = HoldfastMeters.create().withTags(client);
        this.server = server;
        meters.bindTo(registry);
    }

    /** {@return meters whose tag {@code client} is this label} */
    public static Metrics ofClient(String label) {
        String port = System.getenv(PORT);
        if (port == null) {
            return new Metrics(label, null);
        }
        try {
            HttpServer server = onFreePort(Integer.parseInt(port));
            Metrics metrics = new Metrics(label, server);
            metrics.serve(server);
            return metrics;
        } catch (IOException e) {
            throw new UncheckedIOException("a process cannot serve its meters", e);
        }
    }

    private static HttpServer onFreePort(int first) throws IOException {
        int port = first;
        while (true) {
            try {
                return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            } catch (BindException taken) {
                port++; // another process has it
            }
        }
    }

    private void serve(HttpServer http) {
        http.createContext("/metrics", exchange -> {
            byte[] page = registry.scrape().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        http.start();
    }

    /** {@return what the client is to have as a listener} */
    public LockListener listener() {
        return meters;
    }

    /** Reads the statistics of this client. */
    public void watch(Holdfast holdfast) {
        meters.watch(holdfast);
    }

    /** Reads the state of this semaphore, where the meters are served. */
    public void watch(DistributedSemaphore semaphore) {
        if (server != null) {
            SemaphoreMeters.of(semaphore).withTags(client).bindTo(registry);
        }
    }

    @Override
    public void close() {
        meters.close();
        if (server != null) {
            server.stop(0);
        }
    }
}
