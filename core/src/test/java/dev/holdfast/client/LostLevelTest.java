package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.Patience;
import dev.holdfast.RealTime;
import dev.holdfast.SharedRedis;
import dev.holdfast.TurnedClock;
import dev.holdfast.Worker;
import java.time.Duration;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A lost hold stays lost for the owner that locked it, and affects no other owner. */
@Tag("client")
@Tag("driver")
@SuppressWarnings("LockNotBeforeTry") // the test is about the single steps
final class LostLevelTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final TurnedClock clock = new TurnedClock();
    private final Holdfast client = redis.client(clock::turns);
    private final DistributedLock lock = client.getLock(redis.name());

    /** Deletes the lock, and returns when its holder knows of the loss. */
    private void lose(Worker holder) {
        assertThat(redis.lock().forceUnlock()).isTrue();
        clock.advance(TurnedClock.RENEWAL);
        Patience.await().until(() -> !holder.does(lock::isHeldByCurrentThread));
    }

    /** A lost hold is not held, at any level. */
    @Test
    void lost_isNotHeld() {
        Worker holder = redis.worker();
        holder.does(() -> lock.lock());
        holder.does(() -> lock.lock());
        lose(holder);
        assertThat(holder.does(lock::getHoldCount)).isZero();
        assertThat(lock.isHeldBy(holder.thread().getId())).isFalse();
        assertLost(holder, LossReason.GONE);
        assertLost(holder, LossReason.GONE);
    }

    /**
     * A lock after a loss is a new hold on top: each unlock releases its own level, and only those of the lost levels
     * throw.
     */
    @Test
    void lock_afterLoss() {
        Worker holder = redis.worker();
        holder.does(() -> lock.lock());
        holder.does(() -> lock.lock());
        lose(holder);
        holder.does(() -> lock.lock());
        assertThat(holder.does(lock::getHoldCount)).isEqualTo(1);
        assertThat(lock.inspect().holdCount()).isEqualTo(1);
        holder.does(lock::unlock);
        assertThat(lock.isLocked()).isFalse();
        assertLost(holder, LossReason.GONE);
        assertLost(holder, LossReason.GONE);
        assertThatThrownBy(() -> holder.does(lock::unlock))
                .isInstanceOf(IllegalMonitorStateException.class)
                .isNotInstanceOf(LeaseLostException.class);
    }

    /** The lost levels of one owner do not keep the next owner of the same client from being renewed. */
    @Test
    void nextOwner_isRenewed() {
        Worker loser = redis.worker();
        loser.does(() -> lock.lock());
        loser.does(() -> lock.lock());
        lose(loser);
        Worker next = redis.worker();
        next.does(() -> lock.lock());
        clock.renew(client, 4);
        assertThat(next.does(lock::isHeldByCurrentThread)).isTrue();
        assertLost(loser, LossReason.GONE);
        assertLost(loser, LossReason.GONE);
        assertThat(next.does(lock::isHeldByCurrentThread)).isTrue();
        next.does(lock::unlock);
    }

    /** The unlock of a hold that expired does not release the next holder's. */
    @RealTime
    void unlock_afterNextHolder() {
        Worker loser = redis.worker();
        loser.does(() -> lock.lock(Duration.ofMillis(500)));
        Worker next = redis.worker();
        next.does(() -> lock.lock());
        assertLost(loser, LossReason.EXPIRED);
        assertThat(next.does(lock::isHeldByCurrentThread)).isTrue();
        assertThat(lock.isLocked()).isTrue();
        next.does(lock::unlock);
    }

    /** A re-entry of a hold that is gone fails, and does not silently create a new hold. */
    @Test
    void reentry_ofGoneHold() {
        DistributedLock unhurried = redis.lock();
        unhurried.lock();
        assertThat(redis.rival().getLock(redis.name()).forceUnlock()).isTrue();
        assertThatThrownBy(unhurried::lock)
                .asInstanceOf(InstanceOfAssertFactories.type(LeaseLostException.class))
                .returns(LossReason.GONE, LeaseLostException::reason);
        assertThat(unhurried.isHeldByCurrentThread()).isFalse();
        assertThat(unhurried.isLocked()).isFalse();
        assertThatThrownBy(unhurried::unlock).isInstanceOf(LeaseLostException.class);
    }

    /** A re-entry of a hold that another owner has taken over fails, and does not wait for that owner. */
    @Test
    void reentry_ofTakenHold() {
        DistributedLock unhurried = redis.lock();
        unhurried.lock();
        DistributedLock rival = redis.rival().getLock(redis.name());
        assertThat(rival.forceUnlock()).isTrue();
        rival.lock();
        assertThatThrownBy(unhurried::lock)
                .asInstanceOf(InstanceOfAssertFactories.type(LeaseLostException.class))
                .returns(LossReason.TAKEN, LeaseLostException::reason);
        assertThatThrownBy(unhurried::unlock).isInstanceOf(LeaseLostException.class);
        rival.unlock();
    }

    private void assertLost(Worker loser, LossReason reason) {
        assertThatThrownBy(() -> loser.does(lock::unlock))
                .asInstanceOf(InstanceOfAssertFactories.type(LeaseLostException.class))
                .returns(reason, LeaseLostException::reason);
    }
}
