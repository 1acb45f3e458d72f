package dev.holdfast.examples.shop;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.Holdfast;
import dev.holdfast.LockListener;
import dev.holdfast.micrometer.HoldfastMeters;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a process's client, for a Prometheus on this machine: process n serves them on the port
 * {@code SHOP_METRICS_PORT} + n, and on none if that variable is not set.
 */
final class Metrics implements AutoCloseable {
    private static final String PORT = "SHOP_METRICS_PORT";

    private final HoldfastMeters meters = HoldfastMeters.create();
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final @Nullable HttpServer server;

    private Metrics(@Nullable HttpServer server) {
        this.server = server;
        meters.bindTo(registry);
    }

    static Metrics ofProcess(int process) {
        String port = System.getenv(PORT);
        if (port == null) {
            return new Metrics(null);
        }
        try {
            HttpServer server = HttpServer.create(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port) + process), 0);
            Metrics metrics = new Metrics(server);
            metrics.serve(server);
            return metrics;
        } catch (IOException e) {
            throw new UncheckedIOException("process " + process + " cannot serve its meters", e);
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

    LockListener listener() {
        return meters;
    }

    void watch(Holdfast client) {
        meters.watch(client);
    }

    @Override
    public void close() {
        meters.close();
        if (server != null) {
            server.stop(0);
        }
    }
}
