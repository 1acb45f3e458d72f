package dev.holdfast.campaign.worker;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Inside;
import dev.holdfast.LockException;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.schedule.ActorKind;
import dev.holdfast.campaign.schedule.RoundPlan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;

/** A client of ours. */
final class HoldfastClient implements Client {
    /** What a busy machine may take to tell a listener. */
    private static final Duration TELLING = Duration.ofMillis(250);

    private final RoundPlan plan;
    private final Diary diary;
    private final Holds holds;
    private final Holdfast holdfast;
    private final ScheduledExecutorService clock;

    /** @param clock rings the alarms */
    HoldfastClient(String redisUri, RoundPlan plan, Diary diary, ScheduledExecutorService clock) {
        Duration watchdogTimeout = plan.watchdogTimeout();
        Duration commandTimeout = watchdogTimeout.dividedBy(3);
        this.plan = plan;
        this.diary = diary;
        this.clock = clock;
        this.holds = new Holds(diary, watchdogTimeout, commandTimeout.plus(TELLING));
        this.holdfast = connected(Holdfast.builder()
                .redisUri(redisUri)
                .watchdogTimeout(watchdogTimeout)
                .commandTimeout(commandTimeout)
                .addListener(holds));
    }

    /**
     * The first connection of a process takes longer than clients in a hurry would wait, and a client that takes another's place
     * may meet the next fault. Whoever wants it begun knows how long that may take.
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
            case BLOCKING -> new BlockingDoor(this);
            case ASYNC -> FutureDoor.ofThread(this);
            case OWNED -> FutureDoor.ofOwner(this, holdfast.newOwnerId());
            case HANDLE -> new HandleDoor(this, false);
            case HANDLE_ASYNC -> new HandleDoor(this, true);
        };
    }

    DistributedLock lock(String name) {
        return plan.isFenced(name) ? holdfast.getFencedLock(name) : holdfast.getLock(name);
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
    public void close() {
        holdfast.close();
    }
}
