package dev.holdfast.examples.service.demo;

import dev.holdfast.testkit.Freezer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A process of the shop, as controlled by its parent. It does not outlive the parent, however that ends. */
final class Instance implements AutoCloseable {
    /** JVM options of a small program, so that several start fast on few cores. */
    private static final List<String> SMALL_JVM = List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private static final Duration STOPS_WITHIN = Duration.ofSeconds(10);

    private final String name;
    private final Process process;
    private final Tether tether;
    private final CompletableFuture<URI> url;

    private Instance(String name, Process process) {
        this.name = name;
        this.process = process;
        this.tether = Tether.of(process.pid(), "KILL");
        this.url = CompletableFuture.supplyAsync(this::readUrl, task -> new Thread(task, "port-of-" + name).start());
    }

    /** Starts a process on this JVM's own class path. */
    static Instance start(String name, List<String> properties) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SMALL_JVM);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), InstanceProcess.class.getName()));
        command.addAll(List.of("--server.port=0", "--spring.application.name=" + name));
        properties.forEach(property -> command.add("--" + property));
        try {
            return new Instance(
                    name,
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    private URI readUrl() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            String port = lines.readLine();
            if (port == null) {
                throw new IllegalStateException(name + " ended before it was ready");
            }
            return URI.create("http://127.0.0.1:" + port);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " was ended before it was ready", e);
        }
    }

    String name() {
        return name;
    }

    /** {@return where it can be reached; empty until it is ready, and once it was killed} */
    Optional<URI> url() {
        return process.isAlive() && url.isDone() && !url.isCompletedExceptionally()
                ? Optional.of(url.join())
                : Optional.empty();
    }

    /**
     * Waits until it is ready.
     *
     * @throws java.util.concurrent.CompletionException if it ended before, or was not ready in time
     */
    void awaitReady(Duration longest) {
        url.orTimeout(longest.toMillis(), TimeUnit.MILLISECONDS).join();
    }

    /** Ends the process with SIGKILL: none of its code runs any more, and its lock is not released. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Stops the process with SIGSTOP: when this returns none of its code runs until {@link #resume()}. */
    void pause() {
        Freezer.freeze(process);
    }

    void resume() {
        Freezer.thaw(process);
    }

    /** Asks the process to end in order. */
    void stop() {
        process.destroy();
    }

    /** Ends the process in order, or kills it if that takes long. */
    @Override
    public void close() {
        try {
            stop();
            process.onExit()
                    .completeOnTimeout(process, STOPS_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } finally {
            process.destroyForcibly();
            tether.close();
        }
    }
}
