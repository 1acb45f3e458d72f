package dev.holdfast.campaign.worker;

import dev.holdfast.DistributedCountDownLatch;
import dev.holdfast.LatchGoneException;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.What;
import dev.holdfast.campaign.schedule.ActorKind;
import dev.holdfast.campaign.schedule.RoundPlan;
import dev.holdfast.campaign.schedule.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One turn at a latch: the thread sets it, as all others do, and counts it down or awaits it. All threads of all processes have a
 * new latch at the same time, by the clock that they share; a thread that is late comes when it is open, or gone.
 */
final class LatchDoor implements Door {
    private static final long PERIOD_NANOS = Duration.ofSeconds(3).toNanos();

    private final HoldfastClient client;
    private final ActorKind kind;
    private final OwnerDiary owner;

    LatchDoor(HoldfastClient client, ActorKind kind) {
        this.client = client;
        this.kind = kind;
        this.owner =
                client.owner(By.BLOCKING, Long.toString(Thread.currentThread().getId()));
    }

    @Override
    public boolean isBlocking() {
        return true;
    }

    /** {@return nothing, since nobody holds a latch} */
    @Override
    public Optional<Stay> enter(Turn turn) {
        try {
            long number = System.nanoTime() / PERIOD_NANOS + 1;
            String name = RoundPlan.latch(turn.lock(), number);
            TimeUnit.NANOSECONDS.sleep(number * PERIOD_NANOS - System.nanoTime());
            use(client.latch(name), turn);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts " + owner, e);
        }
        return Optional.empty();
    }

    private void use(DistributedCountDownLatch latch, Turn turn) throws InterruptedException {
        set(latch);
        if (kind == ActorKind.AWAITER) {
            await(latch, turn.longestWait());
            return;
        }
        TimeUnit.NANOSECONDS.sleep(turn.work().toNanos());
        Call call = owner.calls(What.COUNT_DOWN, latch.name(), Optional.empty());
        try {
            latch.countDown();
            call.done(0);
        } catch (RuntimeException e) {
            call.threw(e);
        }
        if (kind == ActorKind.RESETTER) {
            set(latch);
        }
    }

    private void set(DistributedCountDownLatch latch) {
        Call call = owner.calls(What.SET_COUNT, latch.name(), Optional.of(RoundPlan.LATCH_LIFETIME));
        try {
            if (latch.trySetCount(RoundPlan.LATCH_COUNT, RoundPlan.LATCH_LIFETIME)) {
                call.done(RoundPlan.LATCH_COUNT);
            } else {
                call.counting();
            }
        } catch (RuntimeException e) {
            call.threw(e);
        }
    }

    private void await(DistributedCountDownLatch latch, Duration wait) throws InterruptedException {
        Call call = owner.awaits(latch.name(), wait);
        try {
            if (latch.await(wait)) {
                call.done(0);
            } else {
                call.counting();
            }
        } catch (LatchGoneException e) {
            call.gone();
        } catch (RuntimeException e) {
            call.threw(e);
        }
    }
}
