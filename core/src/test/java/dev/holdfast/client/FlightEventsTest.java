package dev.holdfast.client;

import static dev.holdfast.TurnedClock.RENEWAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedCountDownLatch;
import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.LatchGoneException;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.LossReason;
import dev.holdfast.Patience;
import dev.holdfast.RealTime;
import dev.holdfast.SharedRedis;
import dev.holdfast.TurnedClock;
import dev.holdfast.Worker;
import dev.holdfast.testkit.FaultProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a recording of the JDK's flight recorder has, with the settings that the events come with. */
@Tag("client")
@SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // the test is about the locking; no work is done under it
final class FlightEventsTest {
    private static final Duration LONGER_THAN_THE_THRESHOLD = Duration.ofMillis(1_100);

    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final Path directory;

    @AutoClose
    private final Recording recording = new Recording();

    private final DistributedLock lock = redis.lock();
    private final TurnedClock clock = new TurnedClock();

    FlightEventsTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @BeforeEach
    void record() {
        recording.start();
    }

    /** {@return the events whose names begin so} */
    private List<RecordedEvent> recorded(String name) throws IOException {
        recording.stop();
        Path file = directory.resolve("recording.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().startsWith("dev.holdfast." + name))
                .toList();
    }

    /** {@return the waits of this client: that of the rival for a free lock is an event, too, if the machine is slow} */
    private List<RecordedEvent> recordedWaits() throws IOException {
        return recorded("LockWait").stream()
                .filter(event -> event.getString("client").equals(redis.client().clientId()))
                .toList();
    }

    /** A wait is an event of the thread that waited, with its stack. */
    @Test
    void wait_ofTheCallingThread() throws Exception {
        Lease held = redis.rival().getLock(redis.name()).acquire();
        CompletableFuture<?> released = redis.worker().begins(() -> {
            Patience.await().until(() -> redis.client().stats().waiters() == 1);
            Patience.await().pollDelay(Duration.ofMillis(50)).until(() -> true);
            held.close();
        });
        lock.lock();
        lock.unlock();
        released.join();

        assertThat(recordedWaits()).singleElement().satisfies(event -> {
            assertThat(event.getThread().getJavaThreadId())
                    .isEqualTo(Thread.currentThread().getId());
            assertThat(event.getString("lock")).isEqualTo(redis.name());
            assertThat(event.getString("outcome")).isEqualTo("GRANTED");
            assertThat(event.getStackTrace().getFrames())
                    .extracting(RecordedFrame::getMethod)
                    .extracting(method -> method.getType().getName())
                    .contains(FlightEventsTest.class.getName());
        });
    }

    /** A wait that ends without the lock has its outcome; so has one for several locks. */
    @RealTime
    void wait_refused() throws Exception {
        Lease held = redis.rival().getLock(redis.name()).acquire();
        assertThat(lock.tryLock(Duration.ofMillis(50))).isFalse();
        assertThat(Holdfast.multiLock(lock).tryLock(Duration.ofMillis(50))).isFalse();
        held.close();
        assertThat(recordedWaits())
                .extracting(event -> event.getString("outcome"))
                .containsExactly("REFUSED", "REFUSED");
    }

    /** To await a latch is an event of the thread that waited, with its stack. */
    @Test
    void latch_ofTheCallingThread() throws Exception {
        DistributedCountDownLatch rival = redis.rival().getCountDownLatch(redis.name());
        rival.trySetCount(1);
        CompletableFuture<?> opened = whenAwaited(() -> {
            Patience.await().pollDelay(Duration.ofMillis(50)).until(() -> true);
            rival.countDown();
        });
        redis.client().getCountDownLatch(redis.name()).await();
        opened.join();

        assertThat(recorded("LatchAwait")).singleElement().satisfies(event -> {
            assertThat(event.getThread().getJavaThreadId())
                    .isEqualTo(Thread.currentThread().getId());
            assertThat(event.getString("latch")).isEqualTo(redis.name());
            assertThat(event.getString("client")).isEqualTo(redis.client().clientId());
            assertThat(event.getString("outcome")).isEqualTo("OPEN");
            assertThat(event.getStackTrace().getFrames())
                    .extracting(RecordedFrame::getMethod)
                    .extracting(method -> method.getType().getName())
                    .contains(FlightEventsTest.class.getName());
        });
    }

    /** The other outcomes; a wait of less than the threshold is none, unless the recording has another one. */
    @RealTime
    void latch_outcomes() throws Exception {
        DistributedCountDownLatch latch = redis.client().getCountDownLatch(redis.name());
        DistributedCountDownLatch rival = redis.rival().getCountDownLatch(redis.name());
        recording.enable("dev.holdfast.LatchAwait").withoutThreshold();
        rival.trySetCount(1);
        assertThat(latch.await(Duration.ofMillis(50))).isFalse();
        Thread awaiting = Thread.currentThread();
        CompletableFuture<?> interrupted = whenAwaited(awaiting::interrupt);
        assertThatThrownBy(() -> latch.await()).isInstanceOf(InterruptedException.class);
        interrupted.join();
        CompletableFuture<?> deleted = whenAwaited(rival::delete);
        assertThatThrownBy(() -> latch.await()).isInstanceOf(LatchGoneException.class);
        deleted.join();
        redis.server().command("SET", redis.name(), "no count");
        assertThatThrownBy(() -> latch.await()).isInstanceOf(LockException.class);
        redis.deleteKeys();

        assertThat(recorded("LatchAwait"))
                .extracting(event -> event.getString("outcome"))
                .containsExactly("TIMED_OUT", "INTERRUPTED", "DELETED", "FAILED");
    }

    private static CompletableFuture<?> whenAwaited(Worker.Deed deed) {
        return redis.worker().begins(() -> {
            Patience.await().until(() -> redis.client().stats().waiters() == 1);
            deed.act();
        });
    }

    /** A wait for a condition is an event of the thread that waited, with its stack. */
    @Test
    void condition_ofTheCallingThread() throws Exception {
        Holdfast client = redis.briskClient();
        CompletableFuture<?> signalled = whenConditionAwaited(() -> {
            Patience.await().pollDelay(Duration.ofMillis(50)).until(() -> true);
            lock.runLocked(lock.getCondition("full")::signal);
        });
        DistributedLock awaited = client.getLock(redis.name());
        awaited.runLocked(() -> awaited.getCondition("full").awaitUninterruptibly());
        signalled.join();

        assertThat(recorded("ConditionAwait")).singleElement().satisfies(event -> {
            assertThat(event.getThread().getJavaThreadId())
                    .isEqualTo(Thread.currentThread().getId());
            assertThat(event.getString("lock")).isEqualTo(redis.name());
            assertThat(event.getString("condition")).isEqualTo("full");
            assertThat(event.getString("client")).isEqualTo(client.clientId());
            assertThat(event.getString("outcome")).isEqualTo("SIGNALLED");
            assertThat(event.getStackTrace().getFrames())
                    .extracting(RecordedFrame::getMethod)
                    .extracting(method -> method.getType().getName())
                    .contains(FlightEventsTest.class.getName());
        });
    }

    /** The other outcomes. */
    @RealTime
    void condition_outcomes() throws Exception {
        recording.enable("dev.holdfast.ConditionAwait").withoutThreshold();
        DistributedLock awaited = redis.briskClient().getLock(redis.name());
        Condition full = awaited.getCondition("full");
        awaited.lock();
        assertThat(full.await(1, TimeUnit.MILLISECONDS)).isFalse();
        Thread awaiting = Thread.currentThread();
        CompletableFuture<?> interrupted = whenConditionAwaited(awaiting::interrupt);
        assertThatThrownBy(full::await).isInstanceOf(InterruptedException.class);
        interrupted.join();
        lock.forceUnlock();
        assertThatThrownBy(full::await).isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(awaited::unlock).isInstanceOf(LeaseLostException.class);

        assertThat(recorded("ConditionAwait"))
                .extracting(event -> event.getString("outcome"))
                .containsExactly("TIMED_OUT", "INTERRUPTED", "LOST");
    }

    private CompletableFuture<?> whenConditionAwaited(Worker.Deed deed) {
        return redis.worker().begins(() -> {
            Patience.await().until(() -> lock.inspect().conditionWaiters().containsKey("full"));
            deed.act();
        });
    }

    /** A hold of more than a second is an event. */
    @Test
    void hold_long() throws IOException {
        Lease lease = lock.acquire();
        Patience.await().pollDelay(LONGER_THAN_THE_THRESHOLD).until(() -> true);
        lease.close();
        assertThat(recorded("LockHold")).singleElement().satisfies(event -> {
            assertThat(event.getDuration()).isGreaterThanOrEqualTo(LONGER_THAN_THE_THRESHOLD);
            assertThat(event.getString("outcome")).isEqualTo("RELEASED");
        });
    }

    /** A loss is an event, with its reason; so is the alarm before it, if there is one. */
    @Test
    void loss_andAtRisk() throws IOException {
        try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server());
                Holdfast client = redis.connect(builder -> clock.turns(builder.redisUri(proxy.uri())))) {
            Lease lease = client.getLock(redis.name()).acquire();
            CompletableFuture<Duration> atRisk = new CompletableFuture<>();
            lease.onAtRisk(atRisk::complete);
            proxy.blackHole();
            clock.advance(RENEWAL);
            Patience.await().until(() -> proxy.commands("EVALSHA") > 1);
            clock.advance(RENEWAL);
            Patience.get(atRisk);
            clock.advance(RENEWAL);
            assertThat(Patience.get(lease.lost().toCompletableFuture()).reason())
                    .isEqualTo(LossReason.UNREACHABLE);
            proxy.cutRst();
            proxy.heal();
            Patience.await().until(() -> client.stats().reconnects() > 0);
            redis.deleteKeys();
        }
        List<RecordedEvent> events = recorded("");
        assertThat(events)
                .extracting(event -> event.getEventType().getName())
                .contains("dev.holdfast.LeaseAtRisk", "dev.holdfast.LeaseLost", "dev.holdfast.Reconnected");
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().equals("dev.holdfast.LeaseLost"))
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.getString("lock")).isEqualTo(redis.name());
                    assertThat(event.getString("reason")).isEqualTo("UNREACHABLE");
                });
    }
}
