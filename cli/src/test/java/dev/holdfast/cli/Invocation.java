package dev.holdfast.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The program, executed in the process of the test; its commands are real processes, which should print nothing. */
final class Invocation {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final CompletableFuture<Consumer<SignalName>> listener = new CompletableFuture<>();
    private final CompletableFuture<Integer> exitCode = new CompletableFuture<>();

    private Invocation() {}

    static Invocation start(String redisUri, String... words) {
        Invocation invocation = new Invocation();
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.put("HOLDFAST_REDIS_URI", redisUri);
        Console console = new Console(environment, stream(invocation.out), stream(invocation.err));
        Cli cli = new Cli(console, invocation.listener::complete);
        Thread thread = new Thread(
                () -> {
                    try {
                        invocation.exitCode.complete(cli.execute(List.of(words)));
                    } catch (Throwable e) {
                        invocation.exitCode.completeExceptionally(e);
                    }
                },
                "cli");
        thread.setDaemon(true);
        thread.start();
        return invocation;
    }

    private static PrintStream stream(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, true, StandardCharsets.UTF_8);
    }

    /** As if the process had received the signal. */
    void signal(SignalName name) {
        listener.join().accept(name);
    }

    int exitCode() {
        return exitCode.orTimeout(60, TimeUnit.SECONDS).join();
    }

    boolean isRunning() {
        return !exitCode.isDone();
    }

    String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    String err() {
        return err.toString(StandardCharsets.UTF_8);
    }
}
