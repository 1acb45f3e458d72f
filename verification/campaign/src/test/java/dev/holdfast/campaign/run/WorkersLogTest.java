package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The unexpected messages of a log. */
class WorkersLogTest {
    private final Path file;
    private final WorkersLog log;

    WorkersLogTest(@TempDir Path directory) throws IOException {
        file = Files.createFile(directory.resolve("workers.log"));
        log = new WorkersLog(file);
    }

    /** Each unexpected message is reported, once. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Exception in thread \"actor-a1\" java.lang.NullPointerException\n\tat dev.holdfast.Engine.run(Engine.java:1)\n",
                "09:15:02.107 [holdfast-io-1] ERROR dev.holdfast.internal.redis.RedisLink - The first calls could not be sent\n",
                "09:15:02.107 [holdfast-callbacks-1] WARN dev.holdfast.Callbacks - A callback threw\n\tat x.Y.z(Y.java:1)\n",
                "09:15:02.107 [holdfast-callbacks-1] WARN dev.holdfast.Notices - The lock listener threw\n",
                "09:15:02.107 [nio-1] WARN io.netty.util.concurrent.DefaultPromise - An exception was thrown by a listener\n",
                "09:15:02.107 [nio-1] ERROR io.netty.util.ResourceLeakDetector - LEAK: not released\n",
                """
                java.lang.IllegalStateException: no
                \tat java.base/a.B.c(B.java:1)
                \tat dev.holdfast.Hold.end(Hold.java:2)
                \tat dev.holdfast.Hold.lost(Hold.java:3)
                """,
            })
    void complaints_unwanted(String text) throws IOException {
        write(text);

        assertThat(log.complaints())
                .singleElement()
                .asString()
                .contains(text.lines().findFirst().orElseThrow());
        assertThat(log.complaints()).as("the second call").isEmpty();
    }

    /**
     * Lost leases, broken connections with their stack traces, messages of Redisson and requested stacks are expected.
     */
    @Test
    void complaints_expected() throws IOException {
        write("""
                09:15:02.107 [holdfast-io-1] WARN dev.holdfast.Engine - stock of a:1 is lost: EXPIRED
                09:15:02.108 [nio-1] WARN io.lettuce.core.protocol.ConnectionWatchdog - Cannot reconnect
                java.net.SocketException: Connection reset
                \tat java.base/sun.nio.ch.SocketChannelImpl.read(SocketChannelImpl.java:1)
                Caused by: java.io.IOException: Connection reset
                \t... 9 more
                09:15:02.109 [redisson-1] ERROR org.redisson.client.handler.CommandsQueue - Exception occurred
                Thread[actor-a1,5,main] WAITING
                    at app//dev.holdfast.PlainKind.lock(PlainKind.java:1)
                """);

        assertThat(log.complaints()).isEmpty();
    }

    /** A line that is still being written is read when it is complete. */
    @Test
    void complaints_halfALine() throws IOException {
        write("Exception in thread");
        assertThat(log.complaints()).isEmpty();

        write(" \"actor-a1\" java.lang.NullPointerException\n");
        assertThat(log.complaints()).hasSize(1);
    }

    private void write(String text) throws IOException {
        Files.writeString(file, text, StandardOpenOption.APPEND);
    }
}
