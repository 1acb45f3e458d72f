package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.DistributedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LockEvent;
import dev.holdfast.LockListener;
import dev.holdfast.MultiLease;
import dev.holdfast.MultiLock;
import dev.holdfast.Patience;
import dev.holdfast.SharedRedis;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a call for several locks counts and publishes about each of them. */
@Tag("client")
final class MultiLockEventsTest {
    @RegisterExtension
    static final SharedRedis redis = new SharedRedis();

    private final List<String> busy = new CopyOnWriteArrayList<>();
    private final Holdfast client = redis.client(builder -> builder.addListener(new LockListener() {
        @Override
        public void busy(LockEvent.Busy event) {
            busy.add(event.name());
        }
    }));

    private static String key(String name) {
        return redis.name() + " " + name;
    }

    private MultiLock multi() {
        return Holdfast.multiLock(List.of("a", "b", "c").stream()
                .map(name -> client.getLock(key(name)))
                .toArray(DistributedLock[]::new));
    }

    /** Of a call that does not wait, the lock that was found busy is reported, and none that was free or not looked at. */
    @Test
    void refused_theBusyOneIsReported() {
        for (String name : List.of("a", "b", "c")) {
            busy.clear();
            long before = client.stats().refused();
            try (Lease held = redis.rival().getLock(key(name)).acquire()) {
                assertThat(multi().tryLock()).isFalse();
                assertThat(held.isValid()).isTrue();
            }
            assertThat(client.stats().refused()).isEqualTo(before + 1);
            Patience.await().until(() -> busy.equals(List.of(key(name))));
        }
    }

    /** A call that waits is not refused: it reports that it has waited for the one that was busy. */
    @Test
    void waited_noneIsRefused() {
        Lease held = redis.rival().getLock(key("b")).acquire();
        CompletableFuture<MultiLease> waits = multi().acquireAsync();
        Patience.await().until(() -> client.stats().waiters() == 1);
        held.close();
        Patience.get(waits).close();
        assertThat(client.stats().refused()).isZero();
        assertThat(busy).isEmpty();
    }
}
