package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.internal.session.ServerUris;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A malformed URI is reported without any of the text that may be a password. */
@Tag("pure")
final class MalformedUriTest {
    private static final int ROUNDS = 10_000;

    /** The parts of a password, between which are characters that have a meaning in a URI. */
    private static final List<String> PARTS = List.of("Kq7Zp", "Xw9Rt", "83915");

    private static final List<String> FORMS = List.of(
            "redis://app:%s@cache.example:6379/0",
            "redis://:%s@cache.example",
            "rediss://%s@10.0.0.1:6380?timeout=5s",
            "redis://app:%s@one:7000,two:7001,[::1]:7002/0?clientName=locks",
            "redis-sentinel://app:%s@one:26379,two:26380/3#orders",
            "rediss-sentinel://:%s@one/0?timeout=10s&database=2#orders",
            "redis-socket://:%s@/run/redis.sock?database=1",
            "redis+ssl://app:%s@cache.example:6379");

    private static final String SPECIAL = "@@//??##:,[]%&=+ ^\"\\{}|<>\u00e4\n\t";

    private final Random random = new Random(31);

    private String password() {
        StringBuilder password = new StringBuilder(PARTS.get(0));
        for (String part : PARTS.subList(1, PARTS.size())) {
            int specials = random.nextInt(3);
            for (int i = 0; i < specials; i++) {
                password.append(special());
            }
            password.append(part);
        }
        return random.nextInt(4) == 0 ? password.toString() + special() : password.toString();
    }

    private char special() {
        return SPECIAL.charAt(random.nextInt(SPECIAL.length()));
    }

    /**
     * {@return a URI that may be malformed, with a password in its place} Of several characters @, none is taken away: with
     * one in the password and none after it, it would be a well-formed URI of another password and another host.
     */
    private String uri() {
        String form = FORMS.get(random.nextInt(FORMS.size()));
        StringBuilder uri = new StringBuilder(form.replace("%s", password()));
        int place = random.nextInt(uri.length());
        if (uri.charAt(place) == '@' && uri.indexOf("@") != uri.lastIndexOf("@")) {
            place = 0;
        }
        switch (random.nextInt(4)) {
            case 0 -> uri.insert(place, special());
            case 1 -> uri.deleteCharAt(place);
            case 2 -> uri.setCharAt(place, special());
            default -> uri.append(special());
        }
        return uri.toString();
    }

    private static String text(Throwable failure) {
        StringWriter text = new StringWriter();
        failure.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    /**
     * Whatever is malformed, the password is in no message, no cause and no log; if the URI is accepted, it is not among the
     * addresses, which are shown.
     */
    @Test
    void password_isShownNowhere() {
        int accepted = 0;
        try (CapturedWarnings logged = new CapturedWarnings()) {
            for (int i = 0; i < ROUNDS; i++) {
                String uri = uri();
                String shown;
                try {
                    shown = ServerUris.addresses(
                            Holdfast.builder().redisUri(uri).settings().redisUris());
                    accepted++;
                } catch (IllegalArgumentException e) {
                    shown = text(e);
                    assertThat(e).hasNoCause();
                }
                assertThat(shown).as(uri).doesNotContain(PARTS);
            }
            assertThat(logged.text()).doesNotContain(PARTS);
        }
        assertThat(accepted).isBetween(ROUNDS / 50, ROUNDS / 2);
    }

    /** A raw character that ends the password is the likely mistake, which is named. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://:pass/word@host:6379",
                "redis://app:pa@ss@host:6379",
                "redis://app:pa?ss@host:6379",
                "redis://app:pa#ss@host:6379",
                "redis://:6379/0@host",
                "redis://one:7000,:pass/word@two:7001",
                "redis-sentinel://:pa#ss@one:26379/0#orders",
                "redis://:secret"
            })
    void rawCharacter_isToBeEncoded(String uri) {
        assertThatThrownBy(() -> Holdfast.builder().redisUri(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("redisUri must look like", "must be percent-encoded", "%40 %2F %3F %23")
                .hasNoCause();
    }

    /** Encoded, they are part of the password. */
    @Test
    void encodedCharacter_isOfThePassword() {
        RedisURI uri = Holdfast.builder()
                .redisUri("redis://app:p%40a%2Fs%3Fs%23@host:6379/2")
                .settings()
                .redisUri();
        assertThat(uri.getHost()).isEqualTo("host");
        assertThat(uri.getDatabase()).isEqualTo(2);
        RedisCredentials credentials =
                uri.getCredentialsProvider().resolveCredentials().toFuture().join();
        assertThat(credentials.getPassword()).isEqualTo("p@a/s?s#".toCharArray());
    }
}
