package dev.holdfast.cli.top;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.Permits;
import dev.holdfast.cli.found.FoundLock;
import dev.holdfast.cli.found.FoundSemaphore;
import dev.holdfast.testkit.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** What becomes of a lock, or of permits, once the question is answered. */
@TestInstance(Lifecycle.PER_CLASS)
final class ForcingTest {
    private final RedisServer server = RedisServer.builder().start();
    private final Holdfast other =
            Holdfast.builder().redisUri(server.uri()).label("web-3").build();
    private final Holdfast third = Holdfast.connect(server.uri());

    @AfterAll
    void stop() {
        third.close();
        other.close();
        server.close();
    }

    /** What the question has named is forced open, unless others hold it by then. */
    @Test
    void force() {
        Lease lease = other.getLock("orders").acquire();
        Forcing forcing = forcing("orders");
        assertThat(forcing.question()).contains("'orders', held by web-3 (" + other.clientId());
        assertThat(forcing.execute(third)).isEqualTo("lock 'orders' was forced open");
        assertThat(forcing.execute(third)).contains("nothing was done");
        try (Lease next = third.getLock("orders").acquire()) {
            assertThat(forcing.execute(other)).contains("held by others by now: nothing was done");
            assertThat(next.isValid()).isTrue();
        }
        Permits permits = other.getSemaphore("api", 2).acquire();
        Entry api = FoundEntries.of(FoundSemaphore.of(third, "api")).get(0);
        Forcing release = new Forcing(api, api.holders());
        assertThat(release.execute(third)).isEqualTo("the permits of web-3 were released");
        assertThat(release.execute(third)).isEqualTo("web-3 has no permits any more");
        assertThat(lease.releaseAsync()).isNotNull();
        assertThat(permits.releaseAsync()).isNotNull();
    }

    private Forcing forcing(String name) {
        Entry entry = FoundEntries.of(FoundLock.of(third, name)).get(0);
        return new Forcing(entry, entry.holders());
    }
}
