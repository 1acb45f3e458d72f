package dev.holdfast.examples.prices;

import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * One run: several processes read, so that there is hardly a moment in which none does, and one writes. A reader is killed while it
 * reads; when its lease has run out, all go on. None of the processes outlives the run.
 */
final class PricesRun {
    /** How often the processes are asked whether the writer has had the lock. */
    private static final Duration LOOK = Duration.ofMillis(200);

    private final int readers;
    private final Duration lease;
    private final Duration calm;
    private final Consumer<String> out;
    private final long began = System.nanoTime();

    /**
     * @param readers how many there are, one of which is killed
     * @param lease for how long a process that has died keeps the lock
     * @param calm how long nothing happens, before and after
     */
    PricesRun(int readers, Duration lease, Duration calm, Consumer<String> out) {
        this.readers = readers;
        this.lease = lease;
        this.calm = calm;
        this.out = out;
    }

    PricesOutcome run() throws InterruptedException {
        List<Participant> all = new ArrayList<>();
        Thread killAll = new Thread(() -> all.forEach(Participant::close), "end-of-processes");
        Runtime.getRuntime().addShutdownHook(killAll);
        try (RedisServer redis = RedisServer.builder().start()) {
            return run(redis.uri(), all);
        } finally {
            Runtime.getRuntime().removeShutdownHook(killAll);
        }
    }

    private PricesOutcome run(String redisUri, List<Participant> all) throws InterruptedException {
        try {
            print("a Redis and " + (readers + 1) + " processes are started");
            all.add(Participant.start("writer", redisUri, lease, true));
            IntStream.rangeClosed(1, readers)
                    .forEach(number -> all.add(Participant.start("reader " + number, redisUri, lease, false)));
            return run(all);
        } finally {
            all.forEach(Participant::close);
        }
    }

    private PricesOutcome run(List<Participant> all) throws InterruptedException {
        for (Participant each : all) {
            each.process().receive(); // it is ready
        }
        all.forEach(each -> each.process().send("begin"));
        print(readers + " processes read the price list, and one writes it");
        Thread.sleep(calm.toMillis());
        Participant victim = all.get(all.size() - 1);
        List<Tally> before = tallies(all);

        victim.process().send("hold");
        victim.process().receive();
        victim.process().kill();
        print(victim.name() + " is killed (SIGKILL) while it reads; its lease lasts " + lease.toMillis()
                + " ms at most");
        List<Participant> alive = all.subList(0, all.size() - 1);
        List<Tally> during = untilWriterHasIt(alive);
        print("the writer has the lock again");

        Thread.sleep(calm.toMillis());
        List<Tally> after = tallies(alive);
        print("end");
        return new PricesOutcome(IntStream.range(0, all.size())
                .mapToObj(i -> new PricesOutcome.Row(
                        all.get(i).name(),
                        i == 0,
                        before.get(i),
                        i < during.size() ? during.get(i) : Tally.NOTHING,
                        i < after.size() ? after.get(i) : Tally.NOTHING,
                        i == all.size() - 1))
                .toList());
    }

    /** {@return what each has counted until the writer has had the lock, and those that waited behind it have, too} */
    private static List<Tally> untilWriterHasIt(List<Participant> alive) throws InterruptedException {
        List<Tally> sums = new ArrayList<>(tallies(alive));
        sums.set(0, Tally.NOTHING); // what it wrote before the kill
        boolean isOver = false;
        while (!isOver) {
            isOver = sums.get(0).times() > 0;
            Thread.sleep(LOOK.toMillis());
            List<Tally> more = tallies(alive);
            for (int i = 0; i < sums.size(); i++) {
                sums.set(i, sums.get(i).plus(more.get(i)));
            }
        }
        return sums;
    }

    private static List<Tally> tallies(List<Participant> participants) throws InterruptedException {
        List<Tally> tallies = new ArrayList<>();
        for (Participant each : participants) {
            tallies.add(each.tally());
        }
        return tallies;
    }

    private void print(String line) {
        out.accept(String.format(Locale.ROOT, "%6.2f s  %s", (System.nanoTime() - began) / 1e9, line));
    }
}
