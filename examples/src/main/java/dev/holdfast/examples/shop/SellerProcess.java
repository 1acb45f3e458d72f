package dev.holdfast.examples.shop;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastStats;
import dev.holdfast.LockEvent;
import dev.holdfast.LockListener;
import dev.holdfast.examples.Metrics;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One of the processes of sellers. It connects, reports that it is ready, begins when its parent writes a line, and
 * ends when all items are sold, with status 1 if a seller failed. It does not outlive its parent: it ends at once at
 * the end of its standard input, which only the parent holds open.
 */
final class SellerProcess {
    /** How often each seller has a lock before the sale. */
    private static final int REHEARSALS = 100;

    private final int process;
    private final Plan plan;
    private final Consumer<Message> parent;

    private SellerProcess(int process, Plan plan, Consumer<Message> parent) {
        this.process = process;
        this.plan = plan;
        this.parent = parent;
    }

    /** {@return the arguments of {@link #main}} */
    static List<String> arguments(Addresses redis, int process, Plan plan) {
        List<String> arguments = new ArrayList<>(List.of(redis.shop(), redis.lock(), Integer.toString(process)));
        arguments.addAll(plan.toArguments());
        return arguments;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        PrintStream parent = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // the real stdout is for messages only
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Plan plan = Plan.parse(Arrays.asList(args).subList(3, args.length));
        SellerProcess self =
                new SellerProcess(Integer.parseInt(args[2]), plan, message -> parent.println(message.line()));
        System.exit(self.run(new Addresses(args[0], args[1]), input) ? 0 : 1);
    }

    private boolean run(Addresses redis, BufferedReader input) throws IOException, InterruptedException {
        try (Shop shop = Shop.at(redis.shop());
                Metrics metrics = Metrics.ofClient("shop");
                Holdfast holdfast = connect(redis.lock(), metrics)) {
            metrics.watch(holdfast);
            List<? extends Callable<@Nullable Void>> sellers = sellers(shop, holdfast);
            if (plan.isFlash()) {
                rehearse(holdfast);
            }
            parent.accept(new Message.Ready());
            if (input.readLine() == null) {
                return false;
            }
            endWith(input);
            boolean well = sellAll(sellers);
            HoldfastStats stats = holdfast.stats();
            parent.accept(new Message.Done(stats.renewals(), stats.lost()));
            return well;
        }
    }

    /** The client is connected even if the lock is not used, so that the two runs differ in nothing else. */
    private Holdfast connect(String redisUri, Metrics metrics) {
        return Holdfast.builder()
                .redisUri(redisUri)
                .watchdogTimeout(plan.watchdogTimeout())
                .commandTimeout(plan.watchdogTimeout().dividedBy(2)) // many processes share few cores
                .label("process " + process)
                .addListener(metrics.listener())
                .addListener(new LockListener() {
                    @Override
                    public void renewed(LockEvent.Renewed event) {
                        parent.accept(new Message.Renewed());
                    }
                })
                .build();
    }

    private List<? extends Callable<@Nullable Void>> sellers(Shop shop, Holdfast holdfast) {
        return plan.isFlash() ? flashSellers(shop, holdfast) : steadySellers(shop, holdfast);
    }

    /** All of a process use one till, and so share its record of the segments that are sold out. */
    private List<FlashSeller> flashSellers(Shop shop, Holdfast holdfast) {
        Till till = Tills.of(holdfast, Plan.LOCK, plan);
        return Stream.generate(() -> new FlashSeller(process, plan, shop, till, parent))
                .limit(plan.threads())
                .toList();
    }

    /** The sellers use locks of another name for a while, so that what is measured is the sale, not the start of a JVM. */
    private void rehearse(Holdfast holdfast) throws InterruptedException {
        Till till = Tills.of(holdfast, "shop:rehearsal", plan);
        Callable<@Nullable Void> seller = () -> {
            for (int i = 0; i < REHEARSALS; i++) {
                till.serve(segment -> true);
            }
            return null;
        };
        boolean well = sellAll(Collections.nCopies(plan.threads(), seller));
        if (!well) {
            throw new IllegalStateException("the rehearsal failed");
        }
    }

    private List<Seller> steadySellers(Shop shop, Holdfast holdfast) {
        Incidents incidents = new Incidents(process, plan, shop, holdfast, parent);
        List<Counter> counters = counters(holdfast);
        List<Seller> sellers = new ArrayList<>();
        for (int i = 0; i < plan.threads(); i++) {
            Counter counter = counters.get((process + i) % counters.size());
            sellers.add(new Seller(process, plan, shop, counter, incidents, parent));
        }
        return sellers;
    }

    private List<Counter> counters(Holdfast holdfast) {
        if (!plan.locked()) {
            return List.of(Counters.unprotected());
        }
        return plan.failsOver()
                ? List.of(Counters.fenced(holdfast.getFencedLock(Plan.LOCK), process))
                : Counters.under(holdfast.getLock(Plan.LOCK));
    }

    private boolean sellAll(List<? extends Callable<@Nullable Void>> sellers) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(sellers.size());
        boolean well = true;
        for (Future<@Nullable Void> end : threads.invokeAll(sellers)) {
            try {
                end.get();
            } catch (ExecutionException e) {
                parent.accept(new Message.Failed(
                        String.valueOf(e.getCause()).lines().findFirst().orElse("")));
                well = false;
            }
        }
        threads.shutdown();
        return well;
    }

    private static void endWith(BufferedReader input) {
        Thread watch = new Thread(
                () -> {
                    awaitEnd(input);
                    Runtime.getRuntime().halt(1);
                },
                "end-with-parent");
        watch.setDaemon(true);
        watch.start();
    }

    private static void awaitEnd(BufferedReader input) {
        try {
            while (input.readLine() != null) {
                // The parent sends no further commands.
            }
        } catch (IOException gone) {
            // Like the end of the input.
        }
    }
}
