package dev.holdfast.benchmarks.cold;

import dev.holdfast.Holdfast;
import dev.holdfast.benchmarks.system.BareScripts;
import dev.holdfast.benchmarks.system.BlockingLock;
import dev.holdfast.benchmarks.system.SpringLocks;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.redisson.Redisson;
import org.redisson.config.Config;

/**
 * A fresh process that connects, acquires and releases one lock for the first time, then 9 times, 90 times, and at last
 * 20 times a second. Between two stages it writes a byte and waits for one, so that its parent can read the processor
 * time from outside.
 *
 * <p>A class that is loaded here is a class that the library does not have to load, so this one uses none beyond those
 * of the virtual machine's start, and none of the other workers'.
 */
final class ColdStart {
    /** How many acquisitions the stages after the connect have, without the last one. */
    private static final int[] STAGES = {1, 9, 90};

    private static final long PERIOD_NANOS = 50_000_000;
    private static final FileOutputStream PARENT = new FileOutputStream(FileDescriptor.out);

    private ColdStart() {}

    /**
     * Runs all stages.
     *
     * @param args the system, the address of the server, and the number of acquisitions of the last stage
     */
    public static void main(String[] args) throws IOException {
        System.setOut(System.err);
        long[] nanos = new long[STAGES.length + 1];
        long[] paced = new long[Integer.parseInt(args[2])];
        pause();
        long begun = System.nanoTime();
        BlockingLock lock = connect(args[0], args[1]);
        nanos[0] = System.nanoTime() - begun;
        pause();
        for (int stage = 0; stage < STAGES.length; stage++) {
            nanos[stage + 1] = pass(lock, STAGES[stage]);
            pause();
        }
        long next = System.nanoTime();
        for (int i = 0; i < paced.length; i++) {
            paced[i] = pass(lock, 1);
            next += PERIOD_NANOS;
            for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
        pause();
        report(nanos, paced);
        System.exit(0);
    }

    private static BlockingLock connect(String system, String uri) {
        return switch (system) {
            case "holdfast" -> OfHoldfast.connect(uri);
            case "redisson" -> OfRedisson.connect(uri);
            case "spring" -> new SpringLocks(uri).lock("cold");
            case "floor" -> new BareScripts(uri, false).lock("cold");
            default -> throw new IllegalArgumentException("cannot be started cold: " + system);
        };
    }

    private static long pass(BlockingLock lock, int times) {
        long begun = System.nanoTime();
        for (int i = 0; i < times; i++) {
            lock.lock();
            lock.unlock();
        }
        return System.nanoTime() - begun;
    }

    /** Returns when the parent has read the processor time; ends with the parent. */
    private static void pause() throws IOException {
        PARENT.write('\n');
        if (System.in.read() < 0) {
            Runtime.getRuntime().halt(1);
        }
    }

    /** Writes the time of each stage but the last, and the median of that, in nanoseconds. */
    private static void report(long[] nanos, long[] paced) throws IOException {
        StringBuilder line = new StringBuilder();
        for (long each : nanos) {
            line.append(each).append(' ');
        }
        Arrays.sort(paced);
        line.append(paced.length == 0 ? 0 : paced[paced.length / 2]).append('\n');
        PARENT.write(line.toString().getBytes(StandardCharsets.US_ASCII));
    }

    private static final class OfHoldfast {
        static BlockingLock connect(String uri) {
            return BlockingLock.of(Holdfast.builder().redisUri(uri).build().getLock("cold"));
        }
    }

    private static final class OfRedisson {
        static BlockingLock connect(String uri) {
            Config config = new Config();
            config.useSingleServer().setAddress(uri);
            return BlockingLock.of(Redisson.create(config).getLock("cold"));
        }
    }
}
