package dev.holdfast.campaign.worker;

import dev.holdfast.DistributedCountDownLatch;
import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.DistributedSemaphore;
import dev.holdfast.FencedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Inside;
import dev.holdfast.LockException;
import dev.holdfast.SegmentedLock;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.schedule.ActorKind;
import dev.holdfast.campaign.schedule.ClientPlan;
import dev.holdfast.campaign.schedule.ClosingKind;
import dev.holdfast.campaign.schedule.RoundPlan;
import dev.holdfast.campaign.schedule.Turn;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A Holdfast client. */
final class HoldfastClient implements Client {
    /** The time that a busy machine may take to notify a listener. */
    private static final Duration NOTIFICATION_DELAY = Duration.ofMillis(250);

    private final RoundPlan plan;
    private final ClientPlan mine;
    private final Diary diary;
    private final Resource resource;
    private final Holds holds;
    private final Holdfast holdfast;
    private final ScheduledExecutorService clock;
    private final Queue<BufferDoor> buffers = new ConcurrentLinkedQueue<>();
    /** Has a thread for each blocked callback. */
    private final ExecutorService callbacks = Executors.newCachedThreadPool(task -> new Thread(task, "callbacks"));

    /** @param clock runs the alarms */
    HoldfastClient(
            String redisUri,
            RoundPlan plan,
            ClientPlan mine,
            Diary diary,
            Resource resource,
            ScheduledExecutorService clock) {
        Duration watchdogTimeout = plan.watchdogTimeout();
        Duration commandTimeout = watchdogTimeout.dividedBy(3);
        this.plan = plan;
        this.mine = mine;
        this.diary = diary;
        this.resource = resource;
        this.clock = clock;
        this.holds = new Holds(diary, watchdogTimeout, commandTimeout.plus(NOTIFICATION_DELAY));
        HoldfastBuilder builder = Holdfast.builder()
                .redisUri(redisUri)
                .watchdogTimeout(watchdogTimeout)
                .commandTimeout(commandTimeout)
                .awaitReleases(mine.awaitsReleases())
                .addListener(holds);
        if (plan.isReplicated()) {
            builder = builder.replicated(plan.replicas(), commandTimeout.dividedBy(4));
        }
        this.holdfast = connected(blocksInCallbacks(mine) ? builder.callbackExecutor(callbacks) : builder);
    }

    /**
     * With callbacks that block, the client gets an executor without a limit: to block all threads of the default
     * executor would be a mistake of the application.
     */
    private static boolean blocksInCallbacks(ClientPlan client) {
        return client.closing() != ClosingKind.PLAIN
                || client.actors().stream().anyMatch(actor -> actor.kind() == ActorKind.CALLBACK);
    }

    /**
     * Retries until the client is connected. The first connection of a process takes longer than the short timeouts
     * allow, and when a replacement connects, the next fault may have begun. The parent process limits the time.
     */
    private static Holdfast connected(HoldfastBuilder builder) {
        while (true) {
            try {
                return builder.build();
            } catch (LockException notNow) {
                System.err.println(notNow.getMessage());
            }
        }
    }

    @Override
    public Door door(ActorKind kind) {
        return switch (kind) {
            case BLOCKING, POLLER, RESTLESS, IMPATIENT, LASTING, HOARDER, WAVERING -> new BlockingDoor(this);
            case ASYNC -> FutureDoor.ofThread(this);
            case OWNED, WAVERING_OWNED -> FutureDoor.ofOwner(this, holdfast.newOwnerId());
            case HANDLE, RESTLESS_HANDLE, KEEPER -> new HandleDoor(this, false);
            case HANDLE_ASYNC -> new HandleDoor(this, true);
            case MULTI -> new MultiDoor(this, MultiDoor.Manner.THREAD);
            case MULTI_HANDLE -> new MultiDoor(this, MultiDoor.Manner.HANDLE);
            case MULTI_ASYNC -> new MultiDoor(this, MultiDoor.Manner.FUTURE);
            case SEGMENT -> new SegmentDoor(this, false);
            case SEGMENT_ASYNC -> new SegmentDoor(this, true);
            case CALLBACK -> new CallbackDoor(this, holdfast.newOwnerId());
            case DOWNGRADER -> new DowngradeDoor(this);
            case AWAITER, COUNTER, RESETTER -> new LatchDoor(this, kind);
            case PERMITS, PERMITS_POLLER, PERMITS_RESTLESS, ALL_PERMITS -> new PermitsDoor(this, false);
            case PERMITS_ASYNC -> new PermitsDoor(this, true);
            case PRODUCER, CONSUMER -> {
                BufferDoor buffer = new BufferDoor(this, kind);
                buffers.add(buffer);
                yield buffer;
            }
        };
    }

    @Override
    public void stop() {
        buffers.forEach(BufferDoor::stop);
    }

    DistributedLock lock(Turn turn) {
        if (plan.isFair()) {
            return holdfast.getFairLock(turn.lock());
        }
        if (plan.theme().isReadWrite()) {
            DistributedReadWriteLock both = readWriteLock(turn);
            return turn.reads() ? both.readLock() : both.writeLock();
        }
        return name(turn).fenced() ? holdfast.getFencedLock(turn.lock()) : holdfast.getLock(turn.lock());
    }

    FencedLock fencedLock(Turn turn) {
        return holdfast.getFencedLock(turn.lock());
    }

    /** {@return what the locks guard} */
    Resource resource() {
        return resource;
    }

    DistributedCountDownLatch latch(String name) {
        return holdfast.getCountDownLatch(name);
    }

    DistributedSemaphore semaphore(Turn turn) {
        return holdfast.getSemaphore(turn.lock(), plan.limit(turn.lock(), mine));
    }

    DistributedReadWriteLock readWriteLock(Turn turn) {
        return holdfast.getReadWriteLock(turn.lock());
    }

    /** {@return the locks that a turn acquires together, the first one first} */
    List<DistributedLock> locks(Turn turn) {
        return Stream.concat(Stream.of(turn.lock()), turn.beside().stream())
                .map(this::lock)
                .toList();
    }

    private DistributedLock lock(String name) {
        return plan.isFenced(name) ? holdfast.getFencedLock(name) : holdfast.getLock(name);
    }

    /** {@return the segments that a turn may acquire} */
    SegmentedLock segments(Turn turn) {
        int size = plan.segments().size();
        int[] without = IntStream.range(0, size)
                .filter(i -> !turn.beside().contains(plan.segments().get(i)))
                .toArray();
        return holdfast.getSegmentedLock(turn.lock(), size).without(without);
    }

    /** {@return the lock that a turn acquires} */
    Diary.Name name(Turn turn) {
        return new Diary.Name(turn.lock(), plan.isFenced(turn.lock()) ^ turn.otherKind());
    }

    boolean awaitsReleases() {
        return mine.awaitsReleases();
    }

    OwnerDiary owner(By by, String ownerId) {
        return new OwnerDiary(diary, holds, by, holdfast.clientId() + ":" + ownerId);
    }

    Diary diary() {
        return diary;
    }

    /** {@return an alarm for the calling thread} */
    Alarm alarm(Optional<Duration> patience) {
        return Alarm.set(clock, patience);
    }

    @Override
    public List<String> residue() {
        String residue = Inside.residue(holdfast);
        return residue.isEmpty() ? List.of() : List.of(residue);
    }

    @Override
    public List<String> close() throws InterruptedException {
        List<String> broken = Closing.of(holdfast, mine.closing());
        callbacks.shutdown();
        return broken;
    }
}
