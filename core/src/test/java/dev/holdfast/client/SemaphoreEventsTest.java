package dev.holdfast.client;

import static dev.holdfast.TurnedClock.RENEWAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockType;
import dev.holdfast.LossReason;
import dev.holdfast.Patience;
import dev.holdfast.Permits;
import dev.holdfast.RecordingListener;
import dev.holdfast.SharedRedis;
import dev.holdfast.TurnedClock;
import dev.holdfast.testkit.FaultProxy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What listeners, the statistics and a flight recording have of permits. */
@Tag("client")
final class SemaphoreEventsTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final RecordingListener listener = new RecordingListener();
    private final TurnedClock clock = new TurnedClock();

    private void awaitEvents(String... events) {
        Patience.await().untilAsserted(() -> assertThat(listener.events()).containsExactly(events));
        assertThat(listener.received()).allSatisfy(event -> {
            assertThat(event.lockType()).isEqualTo(LockType.SEMAPHORE);
            assertThat(event.name()).isEqualTo(redis.name());
        });
    }

    /** A hold of several permits is acquired and released once; a wait and a refusal are events of the semaphore. */
    @Test
    void events_ofAHold() {
        Holdfast client = redis.client(builder -> clock.turns(builder).addListener(listener));
        DistributedSemaphore semaphore = client.getSemaphore(redis.name(), 2);
        Permits first = semaphore.acquire(2);
        clock.renew(client, 1);
        first.close();
        Permits held = redis.rival().getSemaphore(redis.name(), 2).acquire(2);
        assertThat(semaphore.tryAcquire()).isEmpty();
        CompletableFuture<Permits> waiting = semaphore.acquireAsync(2);
        Patience.await().until(() -> client.stats().waiters() == 1);
        held.close();
        Patience.get(waiting).close();
        awaitEvents("acquired", "renewed", "released", "busy", "waited: GRANTED", "acquired", "released");
        assertThat(client.stats().acquired()).isEqualTo(2);
        assertThat(client.stats().refused()).isEqualTo(1);
        assertThat(client.stats().released()).isEqualTo(2);
        assertThat(client.stats().holds()).isZero();
    }

    /** Permits whose renewals get no answer are at risk, which their handle is told, and then lost, once. */
    @Test
    void events_ofALoss() {
        List<Duration> left = new CopyOnWriteArrayList<>();
        try (FaultProxy proxy = FaultProxy.inFrontOf(redis.server());
                Holdfast client = redis.connect(
                        builder -> clock.turns(builder.redisUri(proxy.uri())).addListener(listener))) {
            Permits two = client.getSemaphore(redis.name(), 3).acquire(2);
            two.onAtRisk(left::add);
            proxy.blackHole();
            long sent = proxy.commands("EVALSHA");
            clock.advance(RENEWAL);
            Patience.await().until(() -> proxy.commands("EVALSHA") > sent);
            clock.advance(RENEWAL);
            Patience.await().until(() -> left.size() == 1);
            clock.advance(RENEWAL);
            assertThat(Patience.get(two.lost().toCompletableFuture()).reason()).isEqualTo(LossReason.UNREACHABLE);
            awaitEvents("acquired", "at risk", "lost: UNREACHABLE");
            assertThat(client.stats().lost()).isEqualTo(1);
            assertThat(client.stats().holds()).isZero();
            assertThatThrownBy(two::close).isInstanceOf(LeaseLostException.class);
        }
        redis.deleteKeys();
    }

    /** A wait for permits, and a hold of them, are events of the flight recorder. */
    @Test
    void recording_ofAWaitAndAHold(@TempDir Path directory) throws IOException {
        Holdfast client = redis.client(settings -> settings);
        try (Recording recording = new Recording()) {
            recording.enable("dev.holdfast.LockWait").withThreshold(Duration.ZERO);
            recording.enable("dev.holdfast.LockHold").withThreshold(Duration.ZERO);
            recording.start();
            Permits held = redis.rival().getSemaphore(redis.name(), 1).acquire();
            CompletableFuture<?> passed = redis.worker()
                    .begins(() -> client.getSemaphore(redis.name(), 1).acquire().close());
            Patience.await().until(() -> client.stats().waiters() == 1);
            held.close();
            Patience.get(passed);
            recording.stop();
            Path file = directory.resolve("recording.jfr");
            recording.dump(file);

            List<RecordedEvent> recorded = RecordingFile.readAllEvents(file).stream()
                    .filter(event -> event.getEventType().getName().startsWith("dev.holdfast.Lock"))
                    .filter(event -> event.getString("client").equals(client.clientId()))
                    .toList();
            assertThat(recorded)
                    .extracting(event -> event.getEventType().getName())
                    .containsExactlyInAnyOrder("dev.holdfast.LockWait", "dev.holdfast.LockHold");
            assertThat(recorded).allMatch(event -> event.getString("lock").equals(redis.name()));
        }
    }
}
