package dev.holdfast.internal.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.testkit.Eventually;
import dev.holdfast.testkit.RedisServer;
import dev.holdfast.testkit.junit.TestClock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A hold that is in doubt is told from one that is lost, and is not released by the question. */
final class EnteredLevelsTest {
    private final RedisServer redis = RedisServer.builder().start();
    private final TestClock clock = new TestClock();
    private final Holdfast client =
            clock.applyTo(Holdfast.builder().redisUri(redis.uri())).build();
    private final Holdfast rival = Holdfast.connect(redis.uri());
    private final DistributedLock lock = client.getLock("key");
    private final DistributedLock lockOfRival = rival.getLock("key");
    private final DoubtedLock doubted = new DoubtedLock(lock);
    private final DistributedLock view = doubted.view();

    @AfterEach
    void close() {
        client.close();
        rival.close();
        redis.close();
    }

    /** Deletes the lock, and returns when the client knows. */
    private void lose() {
        assertThat(lockOfRival.forceUnlock()).isTrue();
        clock.advance(Duration.ofSeconds(10)); // the next renewal is due
        Eventually.await().pollInSameThread().until(() -> !lock.isHeldByCurrentThread());
    }

    /** A hold that counts as valid is not asked about: here Redis could not answer. */
    @Test
    void valid_isLocal() throws InterruptedException {
        assertThat(lock.tryLock(Duration.ZERO, Duration.ofMinutes(1))).isTrue();
        assertThat(lock.tryLock()).isTrue();
        redis.pause();
        assertThat(EnteredLevels.of(view)).isEqualTo(2);
        redis.resume();
    }

    /** A doubt is cleared by a re-entry, or by a further one if it is back by then. The levels stay as they were. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void doubted_isConfirmed(int grants) {
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock()).isTrue();
        doubted.doubt(grants);
        assertThat(EnteredLevels.of(view)).isEqualTo(2);
        assertThat(lock.getHoldCount()).isEqualTo(2);
        assertThat(lockOfRival.isLocked()).isTrue();
    }

    /** A hold that Redis has not got any more is lost, also if the client only doubted it. The lock is left free. */
    @Test
    void gone_isLost() {
        assertThat(lock.tryLock()).isTrue();
        assertThat(lockOfRival.forceUnlock()).isTrue();
        doubted.doubt(1);
        assertThat(EnteredLevels.of(view)).isZero();
        assertThat(lockOfRival.isLocked()).isFalse();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    }

    /** After a loss that is known, the lock is left as it was, free or with its present owner. */
    @Test
    void lost_leavesLockAlone() {
        assertThat(lock.tryLock()).isTrue();
        lose();
        assertThat(EnteredLevels.of(view)).isZero();
        assertThat(lockOfRival.isLocked()).isFalse();
        try (Lease next = lockOfRival.acquire()) {
            assertThat(EnteredLevels.of(view)).isZero();
            assertThat(next.isValid()).isTrue();
        }
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    }

    /** The holds of a client that is closed are lost. */
    @Test
    void closed_isLost() {
        assertThat(lock.tryLock()).isTrue();
        client.close();
        assertThat(EnteredLevels.of(view)).isZero();
        assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
    }

    /** If Redis does not answer, a hold that is in doubt may be lost or not, and is left as it is. */
    @Test
    void unanswered_throws() throws InterruptedException {
        try (Holdfast impatient = Holdfast.builder()
                .redisUri(redis.uri())
                .commandTimeout(Duration.ofSeconds(1))
                .build()) {
            DistributedLock held = impatient.getLock("key");
            assertThat(held.tryLock(Duration.ZERO, Duration.ofMinutes(1))).isTrue();
            DoubtedLock unanswered = new DoubtedLock(held);
            unanswered.doubt(1);
            redis.pause();
            assertThatThrownBy(() -> EnteredLevels.of(unanswered.view())).isInstanceOf(LockException.class);
            assertThat(held.getHoldCount()).isEqualTo(1);
            redis.resume();
        }
    }
}
