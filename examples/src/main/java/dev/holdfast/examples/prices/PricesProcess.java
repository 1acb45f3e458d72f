package dev.holdfast.examples.prices;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.examples.Metrics;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A process that reads the list again and again, or writes it, each time under its lock, on one thread. Another thread obeys the
 * parent: to {@code begin}, to print what was counted since the last time ({@code tally}), and to read on without an end
 * ({@code hold}), which is printed when it has the lock. It ends at the end of its standard input, which only the parent holds open.
 */
final class PricesProcess implements Runnable {
    /** What each process does between two times, so that readers overlap, and the lock is never free by itself. */
    private static final Duration PAUSE_OF_READERS = Duration.ofMillis(2);

    private static final Duration PAUSE_OF_WRITER = Duration.ofMillis(25);

    /** How long a reader uses the list. */
    private static final Duration USE = Duration.ofMillis(5);

    private final PriceList prices;
    private final DistributedLock lock;
    private final boolean writes;
    private final PrintStream parent;
    private final AtomicReference<Tally> tally = new AtomicReference<>(Tally.NOTHING);
    private volatile boolean isToHold;

    private PricesProcess(PriceList prices, DistributedLock lock, boolean writes, PrintStream parent) {
        this.prices = prices;
        this.lock = lock;
        this.writes = writes;
        this.parent = parent;
    }

    /** {@return the arguments of {@link #main}} */
    static List<String> arguments(String redisUri, Duration lease, boolean writes) {
        return List.of(redisUri, lease.toString(), Boolean.toString(writes));
    }

    public static void main(String[] args) throws IOException {
        PrintStream parent = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // the real stdout is for the parent only
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        boolean writes = Boolean.parseBoolean(args[2]);
        PriceList prices = PriceList.at(args[0]);
        Metrics metrics = Metrics.ofClient(writes ? "writer" : "reader");
        Holdfast holdfast = Holdfast.builder()
                .redisUri(args[0])
                .watchdogTimeout(Duration.parse(args[1]))
                .addListener(metrics.listener())
                .build();
        metrics.watch(holdfast);
        var both = holdfast.getReadWriteLock(PriceList.LOCK);
        new PricesProcess(prices, writes ? both.writeLock() : both.readLock(), writes, parent).obey(input);
        System.exit(0);
    }

    private void obey(BufferedReader input) throws IOException {
        Thread work = new Thread(this, "work");
        work.setDaemon(true);
        parent.println("ready");
        for (String word = input.readLine(); word != null; word = input.readLine()) {
            switch (word) {
                case "begin" -> work.start();
                case "hold" -> isToHold = true;
                case "tally" -> parent.println(tally.getAndSet(Tally.NOTHING).line());
                default -> throw new IllegalArgumentException("there must be no word " + word);
            }
        }
    }

    @Override
    public void run() {
        long price = 0;
        while (true) {
            long begin = System.nanoTime();
            lock.lock();
            try {
                long waited = System.nanoTime() - begin;
                boolean isWhole = true;
                if (writes) {
                    prices.write(++price);
                } else {
                    isWhole = PriceList.isWhole(prices.read());
                    use();
                }
                boolean seen = isWhole;
                tally.updateAndGet(before -> before.plus(seen, waited));
            } finally {
                lock.unlock();
            }
            LockSupport.parkNanos((writes ? PAUSE_OF_WRITER : PAUSE_OF_READERS).toNanos());
        }
    }

    private void use() {
        if (!isToHold) {
            LockSupport.parkNanos(USE.toNanos());
            return;
        }
        parent.println("holding");
        while (true) {
            LockSupport.park();
        }
    }
}
