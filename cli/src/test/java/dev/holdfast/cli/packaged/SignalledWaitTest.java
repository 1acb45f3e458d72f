package dev.holdfast.cli.packaged;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.RedisServer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;

/** {@code holdfast wait} receives a signal. */
@Tag("slow")
final class SignalledWaitTest {
    private final RedisServer server = RedisServer.builder().start();

    @AfterEach
    void stop() {
        server.close();
    }

    /** A signal ends the wait with its own code, and nothing is printed; no place in line is left behind. */
    @RepeatedTest(3)
    void terminated_isSilent() throws Exception {
        try (Holdfast other = Holdfast.builder().redisUri(server.uri()).build();
                Lease lease = other.getLock("jobs").acquire()) {
            Process holdfast =
                    HoldfastProcess.builder(server.uri(), "wait", "jobs").start();
            await().atMost(60, TimeUnit.SECONDS)
                    .until(() -> Long.valueOf(1L).equals(server.command("HEXISTS", "jobs", "line")));
            holdfast.toHandle().destroy(); // Process.destroy would close the pipe as well

            assertThat(new String(holdfast.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEmpty();
            assertThat(holdfast.waitFor()).isEqualTo(143);
            assertThat(other.getLock("jobs").inspect().clientsInLine()).isZero();
            assertThat(lease.isValid()).isTrue();
        }
    }
}
