package dev.holdfast.recipes;

import dev.holdfast.Holdfast;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** An instance in a process of its own. Each step of it appends its name and its token to the list of steps in Redis. */
final class ElectedInstance {
    static final String LOCK = "leader";
    static final String STEPS = "steps";

    private static final Duration PAUSE = Duration.ofMillis(10);

    private ElectedInstance() {}

    /** Arguments are the address of Redis and the name of the instance. */
    public static void main(String[] args) throws InterruptedException {
        Thread elected = Thread.currentThread();
        new Thread(() -> interruptAtEndOfInput(elected)).start();
        RedisClient client = RedisClient.create(args[0]);
        try (Holdfast holdfast = Holdfast.builder()
                        .redisUri(args[0])
                        .watchdogTimeout(Duration.ofSeconds(2))
                        .build();
                StatefulRedisConnection<String, String> steps = client.connect()) {
            LeaderElection.run(holdfast.getFencedLock(LOCK), Duration.ofMillis(500), term -> {
                steps.sync().rpush(STEPS, args[1] + " " + term.token());
                LockSupport.parkNanos(PAUSE.toNanos());
            });
        } finally {
            client.shutdown();
        }
    }

    /** The input ends with the test, at the latest with its process. */
    private static void interruptAtEndOfInput(Thread elected) {
        try {
            while (System.in.read() >= 0) {
                Thread.onSpinWait();
            }
        } catch (IOException e) {
            throw new AssertionError("the input of a process can be read", e);
        } finally {
            elected.interrupt();
        }
    }
}
