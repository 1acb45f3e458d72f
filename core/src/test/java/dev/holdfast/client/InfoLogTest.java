package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.CapturedWarnings;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.RedisServer;
import java.lang.reflect.Field;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LocationAwareLogger;

/** What is logged at INFO: one line when a client is connected, and one when a lock is forced open. */
@Tag("client")
class InfoLogTest {
    private static final String CONNECTED = "dev.holdfast.internal.topology.FirstConnect";
    private static final String FORCED = "dev.holdfast.internal.view.Inspector";

    @AutoClose
    private final RedisServer server = RedisServer.start();

    @BeforeEach
    void logAtInfo() throws ReflectiveOperationException {
        setLevels(LocationAwareLogger.INFO_INT);
    }

    @AfterEach
    void logAtWarn() throws ReflectiveOperationException {
        setLevels(LocationAwareLogger.WARN_INT);
    }

    /** The logger of the tests has no other way to change its level once it has been used. */
    private static void setLevels(int level) throws ReflectiveOperationException {
        for (String name : new String[] {CONNECTED, FORCED}) {
            Logger logger = LoggerFactory.getLogger(name);
            Field current = logger.getClass().getDeclaredField("currentLogLevel");
            current.setAccessible(true);
            current.set(logger, level);
        }
    }

    /** The client's id and label, the address without the password, and what Redis is. */
    @Test
    void connected() {
        server.command("ACL", "SETUSER", "app", "on", ">secret", "~*", "&*", "+@all");
        try (CapturedWarnings log = new CapturedWarnings();
                Holdfast client = Holdfast.builder()
                        .redisUri("redis://app:secret@127.0.0.1:" + server.port() + "/3")
                        .label("shop")
                        .build()) {
            assertThat(log.text().lines().filter(line -> line.contains(CONNECTED)))
                    .singleElement()
                    .asString()
                    .contains(
                            "INFO",
                            client.clientId() + " [shop]",
                            "connected to Redis at 127.0.0.1:" + server.port() + "/3, one server")
                    .doesNotContain("secret");
        }
    }

    /** The lock, the client that did it, and whether an owner had it. */
    @Test
    void forced() {
        try (Holdfast owner = Holdfast.connect(server.uri());
                Holdfast client = Holdfast.connect(server.uri());
                CapturedWarnings log = new CapturedWarnings()) {
            Lease lease = owner.getLock("orders:42").acquire();
            assertThat(lease.isValid()).isTrue();
            assertThat(client.getLock("orders:42").forceUnlock()).isTrue();
            assertThat(client.getLock("orders:42").forceUnlock()).isFalse();
            assertThat(log.text().lines().filter(line -> line.contains(FORCED)))
                    .satisfiesExactly(
                            line -> assertThat(line)
                                    .contains("INFO", client.clientId(), "'orders:42' open, which was held"),
                            line -> assertThat(line).contains("which was free"));
        }
    }
}
