package dev.holdfast.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider.ImmediateRedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The servers that a text names. */
@Tag("pure")
final class ServerUrisTest {
    /** The credentials in the text are at hand at each connect: the driver does not ask for them on the common pool. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://user:secret@a:1",
                "redis://user:secret@a:1,b:2",
                "redis-sentinel://user:secret@a:1,b:2#master",
                "redis-socket://user:secret@/tmp/redis"
            })
    void credentials_areAtHand(String text) {
        assertThat(ServerUris.parse(text)).allSatisfy(uri -> {
            RedisCredentials credentials = credentials(uri);
            assertThat(credentials.getUsername()).isEqualTo("user");
            assertThat(credentials.getPassword()).isEqualTo("secret".toCharArray());
        });
    }

    private static RedisCredentials credentials(RedisURI uri) {
        return ((ImmediateRedisCredentialsProvider) uri.getCredentialsProvider()).resolveCredentialsNow();
    }
}
