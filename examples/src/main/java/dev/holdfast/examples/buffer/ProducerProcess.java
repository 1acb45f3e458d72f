package dev.holdfast.examples.buffer;

import dev.holdfast.examples.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that makes items and puts them into the buffer, from the first line of its standard input until the second. Then it prints
 * how many, and how often it has waited.
 */
final class ProducerProcess {
    /** How long it takes to make or to ship an item, at most: now the one kind of processes waits, now the other. */
    static final Duration LONGEST_WORK = Duration.ofMillis(30);

    private ProducerProcess() {}

    /** Starts a process, which prints a line when it is ready to begin. */
    static ChildJvm start(String redisUri, Duration lease, int number) {
        return ChildJvm.start(ProducerProcess.class, List.of(redisUri, lease.toString(), Integer.toString(number)));
    }

    /** {@return the item of a producer with this number, from 1} */
    static String item(String producer, int number) {
        return producer + "-" + number;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        BufferedReader parent = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (Buffer buffer = Buffer.at(args[0], Duration.parse(args[1]), "producer")) {
            System.out.println("ready");
            parent.readLine();
            int items = 0;
            while (!parent.ready()) {
                work();
                buffer.put(item(args[2], ++items));
            }
            System.out.println(items + " " + buffer.waits());
        }
    }

    /** Makes an item, or ships one. */
    static void work() {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(LONGEST_WORK.toNanos()));
    }
}
