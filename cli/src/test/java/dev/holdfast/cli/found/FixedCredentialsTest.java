package dev.holdfast.cli.found;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.check.Checkup;
import dev.holdfast.cli.check.Use;
import dev.holdfast.testkit.RedisServer;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider.ImmediateRedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * With credentials that the driver asks for on another thread, about one in 250 first commands was rejected on a busy machine: "Currently
 * not connected".
 */
final class FixedCredentialsTest {
    private static RedisURI withPassword(RedisServer server) {
        server.setUser("locks", "secret", "~*", "&*", "+@all");
        return RedisURI.create(server.uri().replace("redis://", "redis://locks:secret@"));
    }

    private static RedisCredentials immediate(RedisURI uri) {
        assertThat(uri.getCredentialsProvider()).isInstanceOf(ImmediateRedisCredentialsProvider.class);
        return ((ImmediateRedisCredentialsProvider) uri.getCredentialsProvider()).resolveCredentialsNow();
    }

    /** The credentials of an address stay the same, also where it has none, and those of its sentinels. */
    @Test
    void in_address() {
        RedisURI uri = RedisURI.create("redis-sentinel://:secret@127.0.0.1:1,127.0.0.1:2#main");
        uri.getSentinels().get(0).setAuthentication("of-sentinel".toCharArray());
        FixedCredentials.in(uri);
        assertThat(immediate(uri).getPassword()).containsExactly("secret".toCharArray());
        assertThat(immediate(uri.getSentinels().get(0)).getPassword()).containsExactly("of-sentinel".toCharArray());
        assertThat(immediate(uri.getSentinels().get(1)).hasPassword()).isFalse();
    }

    /** Whatever connects to an address has fixed them. */
    @Test
    void in_connected() {
        try (RedisServer server = RedisServer.builder().start()) {
            RedisURI scanned = withPassword(server);
            LockScan.connect(List.of(scanned)).close();
            assertThat(immediate(scanned).getUsername()).isEqualTo("locks");

            RedisURI checked = withPassword(server);
            Checkup.of(List.of(checked), EnumSet.of(Use.LOCK), "", Clock.systemUTC());
            assertThat(immediate(checked).getUsername()).isEqualTo("locks");
        }
    }
}
