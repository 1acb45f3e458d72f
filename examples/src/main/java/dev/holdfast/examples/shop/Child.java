package dev.holdfast.examples.shop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of sellers, as controlled by its parent. */
final class Child implements AutoCloseable {
    /** JVM options of a small program, so that many of them start fast on few cores. */
    private static final List<String> SMALL_JVM = List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final int number;
    private final Process process;
    private final Thread reader;

    private Child(int number, Process process, Observations observations) {
        this.number = number;
        this.process = process;
        this.reader = new Thread(() -> read(observations), "messages-of-process-" + number);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts a process on this JVM's own class path; its messages are passed to the observations. */
    static Child start(Addresses redis, int number, Plan plan, Observations observations) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SMALL_JVM);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), SellerProcess.class.getName()));
        command.addAll(SellerProcess.arguments(redis, number, plan));
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
            return new Child(number, builder.start(), observations);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start process " + number, e);
        }
    }

    private void read(Observations observations) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Message message = Message.parse(line);
                if (message instanceof Message.Holding) {
                    observations.killing(number);
                    kill();
                } else {
                    observations.received(number, message);
                }
            }
        } catch (IOException killed) {
            // A kill closes the pipe.
        }
    }

    /** Signals the process to begin. */
    void go() {
        try {
            Writer input = process.outputWriter(StandardCharsets.UTF_8);
            input.write("go\n");
            input.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("process " + number + " ended before it could begin", e);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Ends the process with SIGKILL: none of its code runs any more, and none of its locks is released. */
    private void kill() {
        process.destroyForcibly();
    }

    /** Waits for the end of the process and its last message; a process that takes longer than this is killed. */
    void awaitEnd(Duration longest) throws InterruptedException {
        if (!process.waitFor(longest.toNanos(), TimeUnit.NANOSECONDS)) {
            kill();
        }
        reader.join();
    }

    @Override
    public void close() {
        kill();
    }
}
