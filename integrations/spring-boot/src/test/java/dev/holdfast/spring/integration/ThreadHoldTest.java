package dev.holdfast.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.internal.spring.DoubtedLock;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.junit.TestClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whenever a hold is lost, the next level is refused instead of being a hold of its own. */
final class ThreadHoldTest {
    private final RedisServer redis = RedisServer.builder().start();
    private final TestClock clock = new TestClock();
    private final Holdfast client =
            clock.applyTo(Holdfast.builder().redisUri(redis.uri())).build();
    private final Holdfast rival = Holdfast.connect(redis.uri());
    private final DoubtedLock doubted = new DoubtedLock(client.getLock("key"));
    private final ThreadHold hold = new ThreadHold(doubted.view(), new ThreadLevels());
    private final AtomicInteger attempts = new AtomicInteger();

    @BeforeEach
    void enter() {
        assertThat(hold.enter(this::acquire)).isTrue();
    }

    @AfterEach
    void close() {
        client.close();
        rival.close();
        redis.close();
    }

    private boolean acquire(DistributedLock lock) {
        attempts.incrementAndGet();
        lock.lock();
        return true;
    }

    /** Deletes the lock, and returns when the client knows. */
    private void lose() {
        assertThat(rival.getLock("key").forceUnlock()).isTrue();
        clock.advance(Duration.ofSeconds(10)); // the next renewal is due
        Eventually.await().pollInSameThread().until(() -> !client.getLock("key").isHeldByCurrentThread());
    }

    private void assertMayCompete() {
        assertThat(hold.isEntered()).isFalse();
        assertThat(rival.getLock("key").isLocked()).isFalse();
        assertThat(hold.enter(this::acquire)).isTrue();
        hold.leave();
        assertThat(rival.getLock("key").isLocked()).isFalse();
    }

    /** A loss that is known is reported without an attempt, which might wait for the owner that has the lock now. */
    @Test
    void enter_afterLoss() {
        lose();
        assertThatThrownBy(() -> hold.enter(this::acquire)).isInstanceOf(LeaseLostException.class);
        assertThat(attempts).hasValue(1);
        assertMayCompete();
    }

    /** A hold that is lost between the check and the attempt makes that a new hold, which is released. */
    @Test
    void enter_lostBeforeAttempt() {
        assertThatThrownBy(() -> hold.enter(lock -> {
                    lose();
                    return acquire(lock);
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(attempts).hasValue(2);
        assertMayCompete();
    }

    /** A hold that is only in doubt is re-entered. */
    @Test
    void enter_inDoubt() {
        doubted.doubt(1);
        assertThat(hold.enter(this::acquire)).isTrue();
        assertHeldTwice();
    }

    /** A re-entry that is in doubt as soon as it is granted is not given up. */
    @Test
    void enter_inDoubtWithGrant() {
        assertThat(hold.enter(lock -> {
                    boolean acquired = acquire(lock);
                    doubted.doubt(1);
                    return acquired;
                }))
                .isTrue();
        assertHeldTwice();
    }

    private void assertHeldTwice() {
        assertThat(client.getLock("key").getHoldCount()).isEqualTo(2);
        hold.leave();
        assertThat(rival.getLock("key").isLocked()).isTrue();
        hold.leave();
        assertThat(rival.getLock("key").isLocked()).isFalse();
    }

    /** A hold in doubt that Redis has not got any more is lost. */
    @Test
    void enter_goneInDoubt() {
        assertThat(rival.getLock("key").forceUnlock()).isTrue();
        doubted.doubt(1);
        assertThatThrownBy(() -> hold.enter(this::acquire)).isInstanceOf(LeaseLostException.class);
        assertMayCompete();
    }
}
