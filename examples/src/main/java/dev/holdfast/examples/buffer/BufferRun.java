package dev.holdfast.examples.buffer;

import dev.holdfast.examples.ChildJvm;
import dev.holdfast.examples.buffer.BufferOutcome.Put;
import dev.holdfast.examples.buffer.BufferOutcome.Shipped;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * One run: some processes put items into the buffer, others take them out, and the last of these is killed while it has the lock and an
 * item. Another one takes its place. None of the processes outlives the run.
 */
final class BufferRun {
    private final int producers;
    private final int consumers;
    private final Duration lease;
    private final Duration calm;
    private final Consumer<String> out;
    private final long began = System.nanoTime();

    /**
     * @param lease for how long a process that has died keeps the lock at most
     * @param calm how long nothing happens, before and after
     */
    BufferRun(int producers, int consumers, Duration lease, Duration calm, Consumer<String> out) {
        this.producers = producers;
        this.consumers = consumers;
        this.lease = lease;
        this.calm = calm;
        this.out = out;
    }

    BufferOutcome run() throws InterruptedException {
        List<ChildJvm> all = new ArrayList<>();
        Thread killAll = new Thread(() -> all.forEach(ChildJvm::close), "end-of-processes");
        Runtime.getRuntime().addShutdownHook(killAll);
        try (RedisServer redis = RedisServer.builder().start();
                Buffer buffer = Buffer.at(redis.uri(), lease, "run")) {
            for (int number = 1; number <= producers; number++) {
                all.add(ProducerProcess.start(redis.uri(), lease, number));
            }
            for (int number = 1; number <= consumers; number++) {
                all.add(ConsumerProcess.start(redis.uri(), lease, number));
            }
            print("a Redis and " + all.size() + " processes are started");
            return run(all, redis.uri(), buffer);
        } finally {
            all.forEach(ChildJvm::close);
            Runtime.getRuntime().removeShutdownHook(killAll);
        }
    }

    private BufferOutcome run(List<ChildJvm> all, String redisUri, Buffer buffer) throws InterruptedException {
        for (ChildJvm each : all) {
            each.receive(); // it is ready
        }
        all.forEach(each -> each.send("begin"));
        print(producers + " processes put items into a buffer for " + Buffer.CAPACITY + ", and " + consumers
                + " take them out");
        Thread.sleep(calm.toMillis());

        ChildJvm victim = all.get(all.size() - 1);
        victim.send("stop");
        victim.receive(); // it has stopped
        String left = buffer.takenBy(consumers).orElse("none");
        int shippedBefore = buffer.allShippedBy(consumers).size();
        print("consumer " + consumers + " has taken item " + left + ", and keeps the lock");
        victim.kill();
        long killed = System.nanoTime();
        print("consumer " + consumers + " is killed (SIGKILL)");
        buffer.awaitLock();
        Duration free = Duration.ofNanos(System.nanoTime() - killed);
        print("the lock is free again");
        all.set(all.size() - 1, ConsumerProcess.start(redisUri, lease, consumers));
        all.get(all.size() - 1).receive(); // it is ready
        all.get(all.size() - 1).send("begin");
        print("another process takes its place, and begins with that item");

        Thread.sleep(calm.toMillis());
        List<Put> put = new ArrayList<>();
        for (ChildJvm producer : all.subList(0, producers)) {
            producer.send("end");
            String[] words = producer.receive();
            put.add(new Put(Integer.parseInt(words[0]), Integer.parseInt(words[1])));
        }
        print("the producers have ended");
        for (int i = 0; i < consumers; i++) {
            buffer.put(Buffer.END);
        }
        List<Shipped> shipped = new ArrayList<>();
        for (int number = 1; number <= consumers; number++) {
            String[] words = all.get(producers + number - 1).receive();
            shipped.add(new Shipped(buffer.allShippedBy(number), Integer.parseInt(words[0])));
        }
        print("end");
        return new BufferOutcome(lease, put, shipped, left, shippedBefore, free);
    }

    private void print(String line) {
        out.accept(String.format(Locale.ROOT, "%6.2f s  %s", (System.nanoTime() - began) / 1e9, line));
    }
}
