package dev.holdfast.examples.stale;

import dev.holdfast.examples.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** A process that changes the balance, as controlled by its parent. */
final class Teller implements AutoCloseable {
    private final ChildJvm process;

    private Teller(ChildJvm process) {
        this.process = process;
    }

    static Teller start(List<String> arguments) {
        return new Teller(ChildJvm.start(TellerProcess.class, arguments));
    }

    /** {@link ChildJvm#receive()} */
    String[] receive() throws InterruptedException {
        return process.receive();
    }

    /** Signals the process to take its next step; a stopped process takes it when it is resumed. */
    void next() {
        process.send("next");
    }

    /** Stops the process wherever it is; it is not notified. */
    void stop() throws InterruptedException {
        signal("STOP");
    }

    void resume() throws InterruptedException {
        signal("CONT");
    }

    private void signal(String signal) throws InterruptedException {
        try {
            int status = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (status != 0) {
                throw new IllegalStateException("kill -" + signal + " must end with status 0, was " + status);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("this system cannot stop a process", e);
        }
    }

    /** Ends the process, stopped or not. */
    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        kill();
    }
}
