package dev.holdfast.examples.buffer;

import dev.holdfast.examples.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that takes items out of the buffer and ships them, from the first line of its standard input until it takes the last one.
 * Then it prints how often it has waited. It begins with what a former process in its place had taken. A second line makes it stop in
 * the next take, with the lock, and print a line; it is to be killed then.
 */
final class ConsumerProcess {
    private ConsumerProcess() {}

    /** Starts a process, which prints a line when it is ready to begin. */
    static ChildJvm start(String redisUri, Duration lease, int number) {
        return ChildJvm.start(ConsumerProcess.class, List.of(redisUri, lease.toString(), Integer.toString(number)));
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        int me = Integer.parseInt(args[2]);
        BufferedReader parent = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Buffer buffer = Buffer.at(args[0], Duration.parse(args[1]), "consumer")) {
            System.out.println("ready");
            parent.readLine();
            String item = buffer.takenBy(me).orElse("");
            while (!item.equals(Buffer.END)) {
                if (!item.isEmpty()) {
                    ProducerProcess.work();
                    buffer.shipped(me);
                }
                item = buffer.take(me, () -> stopIfToldTo(parent));
            }
            System.out.println(buffer.waits());
        }
    }

    private static void stopIfToldTo(BufferedReader parent) {
        try {
            if (parent.ready()) {
                System.out.println("stopped");
                while (true) {
                    LockSupport.park();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
