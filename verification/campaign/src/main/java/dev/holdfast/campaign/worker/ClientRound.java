package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.history.Journal;
import dev.holdfast.campaign.schedule.ActorPlan;
import dev.holdfast.campaign.schedule.ClientPlan;
import dev.holdfast.campaign.schedule.RoundPlan;
import dev.holdfast.campaign.schedule.Schedule;
import dev.holdfast.testkit.StallDetector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;

/** The part of one process in one round. Its methods are called one after the other. */
final class ClientRound {
    /** Channels without subscribers are kept for a second or two, and other clean-up may take as long. */
    private static final Duration CLEAN_UP = Duration.ofSeconds(6);

    /** Much less than what the rules allow for anything to be late. */
    private static final Duration STALL = Duration.ofMillis(150);

    private final RoundPlan plan;
    private final int generation;
    private final Resource resource;
    private final Consumer<String> alarmed;
    private final LeftThreads threads = LeftThreads.since();
    private final Diary diary;
    private final StallDetector stalls;
    /** One for all actors, or one for each. */
    private final List<Client> clients = new ArrayList<>();

    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "alarms"));
    private final List<Thread> actors = new ArrayList<>();
    private volatile boolean stopped;

    private ClientRound(Order.Begin order, Resource resource, Consumer<String> alarmed) {
        this.plan = Schedule.round(order.seed());
        this.generation = order.generation();
        this.resource = resource;
        this.alarmed = alarmed;
        this.diary = new Diary(Journal.open(order.journal()), order.process());
        this.stalls = StallDetector.start(STALL, diary::stoodStill);
        ClientPlan mine = plan.clients().get(order.client());
        for (int i = 0; i < mine.count(); i++) {
            clients.add(client(order, mine));
        }
    }

    private Client client(Order.Begin order, ClientPlan mine) {
        return switch (mine.library()) {
            case HOLDFAST, HOLDFAST_BEFORE -> new HoldfastClient(order.redisUri(), plan, mine, diary, resource, clock);
            case REDISSON -> new RedissonGuest(order.redisUri(), plan, diary);
        };
    }

    /**
     * Connects, and starts the actors.
     *
     * @param alarmed notified when an actor ends by an exception
     */
    static ClientRound begin(Order.Begin order, Resource resource, Consumer<String> alarmed) {
        ClientRound round = new ClientRound(order, resource, alarmed);
        ClientPlan mine = round.plan.clients().get(order.client());
        for (ActorPlan actor : mine.actors()) {
            Client client = round.clients.get(mine.apart() ? round.actors.size() : 0);
            Thread thread = new Thread(() -> round.act(actor, client), "actor-" + actor.name());
            round.actors.add(thread);
            thread.start();
        }
        return round;
    }

    private void act(ActorPlan plan, Client client) {
        try {
            new Actor(
                            this.plan.turns(plan, generation),
                            this.plan.arrivals(),
                            client.door(plan.kind()),
                            new Section(diary, resource)::work,
                            after -> Alarm.set(clock, after),
                            () -> stopped)
                    .act();
        } catch (RuntimeException | Error e) {
            e.printStackTrace();
            alarmed.accept(plan + " ended: " + e);
        }
    }

    /** Waits until every actor has completed its last turn. */
    void stop() throws InterruptedException {
        stopped = true;
        clients.forEach(Client::stop);
        for (Thread actor : actors) {
            actor.join();
        }
    }

    /**
     * Waits until nothing of the clients is in use, closes them, waits until the threads of Holdfast clients have ended,
     * and records what is left.
     */
    void close() throws InterruptedException {
        List<String> left = new ArrayList<>(Leftovers.within(cleanUp(), this::residue));
        diary.closing();
        for (Client client : clients) {
            left.addAll(client.close());
        }
        end(left);
    }

    /** A client that had waiters for conditions stays registered for a watchdog timeout. */
    private Duration cleanUp() {
        return plan.theme().isOfConditions() ? CLEAN_UP.plus(plan.watchdogTimeout()) : CLEAN_UP;
    }

    /** Closes the clients while the actors use them, and waits until every actor has completed its turn. */
    void closeInUse() throws InterruptedException {
        List<String> left = new ArrayList<>();
        stopped = true;
        diary.closing();
        for (Client client : clients) {
            left.addAll(client.close());
        }
        stop();
        end(left);
    }

    private void end(List<String> left) throws InterruptedException {
        stalls.close();
        clock.shutdownNow();
        if (clients.stream().allMatch(HoldfastClient.class::isInstance)) {
            left.addAll(Leftovers.within(CLEAN_UP, threads::names));
        }
        diary.inspected(left);
        diary.close();
    }

    private List<String> residue() {
        return clients.stream().flatMap(client -> client.residue().stream()).toList();
    }
}
