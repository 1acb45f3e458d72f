package dev.holdfast.internal.redis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How a server identifies a connection. */
@Tag("pure")
final class ServerClientIdTest {
    /** The id and the address are found among the other fields, in the format of several versions. */
    @Test
    void parse_clientInfo() {
        assertThat(ServerClientId.parse("id=7 addr=127.0.0.1:50122 laddr=127.0.0.1:6379 fd=8 name= age=0"))
                .isEqualTo(new ServerClientId("7", "127.0.0.1:50122"));
        assertThat(ServerClientId.parse("[id=12 addr=[::1]:50122 laddr=[::1]:6379 fd=8]"))
                .isEqualTo(new ServerClientId("12", "[::1]:50122"));
        assertThat(ServerClientId.parse("id=3 addr=/run/redis.sock:0 fd=9"))
                .isEqualTo(new ServerClientId("3", "/run/redis.sock:0"));
    }

    /**
     * An address with a port is unique to one connection; one without, as of a Unix domain socket, is shared by all.
     */
    @Test
    void isUnique_withAPort() {
        assertThat(new ServerClientId("7", "127.0.0.1:50122").isUnique()).isTrue();
        assertThat(new ServerClientId("7", "127.0.0.1:50120").isUnique()).isTrue();
        assertThat(new ServerClientId("12", "[::1]:50122").isUnique()).isTrue();
        assertThat(new ServerClientId("3", "/run/redis.sock:0").isUnique()).isFalse();
    }

    /** Any other text has no id. */
    @Test
    void parse_somethingElse() {
        assertThat(ServerClientId.parse("")).isNull();
        assertThat(ServerClientId.parse("[OK]")).isNull();
        assertThat(ServerClientId.parse("tid=7 address=x")).isNull();
    }
}
