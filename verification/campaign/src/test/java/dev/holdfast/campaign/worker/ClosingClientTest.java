package dev.holdfast.campaign.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.campaign.schedule.ClosingKind;
import dev.holdfast.testkit.RedisServer;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that is closed at an inconvenient moment. */
@Timeout(60)
class ClosingClientTest {
    private final RedisServer server = RedisServer.start();
    private final ExecutorService callbacks = Executors.newCachedThreadPool();
    private Holdfast holdfast;

    @BeforeEach
    void connect() {
        holdfast = Holdfast.builder()
                .redisUri(server.uri())
                .callbackExecutor(callbacks)
                .build();
    }

    @AfterEach
    void close() {
        holdfast.close();
        callbacks.shutdownNow();
        server.close();
    }

    /** In every case everything completes, and the client is closed. */
    @ParameterizedTest
    @EnumSource
    void of_everythingEnds(ClosingKind kind) throws InterruptedException {
        assertThat(Closing.of(holdfast, kind)).isEmpty();

        assertThat(holdfast.isConnected()).isFalse();
        assertThat(Thread.interrupted()).isFalse();
    }
}
