package dev.holdfast.examples.limit;

import dev.holdfast.examples.ChildJvm;
import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * One run: several processes call the service, each time with one of the permits, and the last of them is killed in a long call. None of
 * the processes outlives the run.
 */
final class LimitRun {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final int workers;
    private final int permits;
    private final Duration lease;
    private final Duration calm;
    private final Consumer<String> out;
    private final long began = System.nanoTime();

    /**
     * @param lease for how long a process that has died keeps its permit at most; the long call lasts longer
     * @param calm how long nothing happens, before and after
     */
    LimitRun(int workers, int permits, Duration lease, Duration calm, Consumer<String> out) {
        this.workers = workers;
        this.permits = permits;
        this.lease = lease;
        this.calm = calm;
        this.out = out;
    }

    LimitOutcome run() throws IOException, InterruptedException {
        List<ChildJvm> all = new ArrayList<>();
        Thread killAll = new Thread(() -> all.forEach(ChildJvm::close), "end-of-processes");
        Runtime.getRuntime().addShutdownHook(killAll);
        try (RedisServer redis = RedisServer.builder().start();
                Service service = Service.start(workers)) {
            print("a Redis, a service and " + workers + " processes are started");
            IntStream.range(0, workers)
                    .forEach(worker ->
                            all.add(WorkerProcess.start(redis.uri(), service.port(), permits, lease, worker)));
            return run(all, service);
        } finally {
            all.forEach(ChildJvm::close);
            Runtime.getRuntime().removeShutdownHook(killAll);
        }
    }

    private LimitOutcome run(List<ChildJvm> all, Service service) throws InterruptedException {
        for (ChildJvm each : all) {
            each.receive(); // it is ready
        }
        all.forEach(each -> each.send("begin"));
        print(workers + " processes call the service, for which there are " + permits + " permits");
        Thread.sleep(calm.toMillis());

        int victim = workers - 1;
        Service.Endless call = service.endless(victim);
        int number = get(call.number());
        print("worker " + workers + " has the permit of number " + number
                + ", and a call that takes longer than its lease of " + lease.toMillis() + " ms, which is renewed");
        Thread.sleep(lease.multipliedBy(3).dividedBy(2).toMillis());
        all.get(victim).kill();
        long killed = System.nanoTime();
        get(call.end());
        Count before = service.occupancy().next();
        CompletableFuture<Count> untilBack = service.occupancy().before(number);
        print("worker " + workers + " is killed (SIGKILL)");
        Count during = get(untilBack);
        Duration back = Duration.ofNanos(System.nanoTime() - killed);
        print("another worker calls with number " + number);

        Thread.sleep(calm.toMillis());
        Count after = service.occupancy().next();
        print("end");
        return new LimitOutcome(permits, lease, before, during, after, back);
    }

    private static <T> T get(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get(TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("the service must have counted that within " + TIMEOUT, e);
        }
    }

    private void print(String line) {
        out.accept(String.format(Locale.ROOT, "%6.2f s  %s", (System.nanoTime() - began) / 1e9, line));
    }
}
