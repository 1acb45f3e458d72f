package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.internal.session.Settings;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How settings must relate, their defaults, and the messages for settings that do not fit. */
final class HoldfastBuilderTest {
    private static HoldfastBuilder builder() {
        return Holdfast.builder().redisUri("redis://localhost:6379");
    }

    private static Map.Entry<UnaryOperator<HoldfastBuilder>, String> wrong(
            UnaryOperator<HoldfastBuilder> settings, String message) {
        return Map.entry(settings, message);
    }

    static List<Map.Entry<UnaryOperator<HoldfastBuilder>, String>> wrongs() {
        return List.of(
                wrong(
                        b -> b.commandTimeout(Duration.ofSeconds(16)),
                        "commandTimeout must be at most 1/2 of watchdogTimeout, was PT16S of PT30S"),
                wrong(
                        b -> b.connectTimeout(Duration.ofNanos(999_999)),
                        "connectTimeout must be between 1 ms and PT1H, was PT0.000999999S"),
                wrong(
                        b -> b.connectTimeout(Duration.ofHours(1).plusNanos(1)),
                        "connectTimeout must be between 1 ms and PT1H, was PT1H0.000000001S"),
                wrong(b -> b.connectTimeout(Duration.ZERO), "connectTimeout must be positive, was PT0S"),
                wrong(
                        b -> b.sslOptions(SslOptions.create()),
                        "sslOptions need a redisUri that uses TLS, such as rediss://host:6379, was one without"),
                wrong(
                        b -> b.reconnectDelay(Duration.ofSeconds(11)),
                        "reconnectDelay must be at most 1/3 of watchdogTimeout, was PT11S of PT30S"),
                wrong(
                        b -> b.driftAllowance(Duration.ofSeconds(8)),
                        "driftAllowance must be between zero and a quarter of watchdogTimeout, was PT8S of PT30S"),
                wrong(
                        b -> b.maxHold(Duration.ofSeconds(29)),
                        "maxHold must be at least watchdogTimeout, was PT29S with PT30S"),
                wrong(b -> b.watchdogTimeout(Duration.ofMillis(99)), "watchdogTimeout must be between PT0.1S and"),
                wrong(b -> b.watchdogTimeout(Duration.ZERO), "watchdogTimeout must be positive, was PT0S"),
                wrong(b -> b.commandTimeout(Duration.ofMillis(-1)), "commandTimeout must be positive, was PT-0.001S"),
                wrong(b -> b.reconnectDelay(Duration.ZERO), "reconnectDelay must be positive, was PT0S"),
                wrong(b -> b.driftAllowance(Duration.ofNanos(-1)), "driftAllowance must not be negative"),
                wrong(
                        b -> b.failoverTimeout(Duration.ofSeconds(2)),
                        "failoverTimeout must be at least commandTimeout, was PT2S with PT3S"),
                wrong(b -> b.failoverTimeout(Duration.ZERO), "failoverTimeout must be positive, was PT0S"),
                wrong(b -> b.maxHold(Duration.ZERO), "maxHold must be positive, was PT0S"),
                wrong(b -> b.keyPrefix("\uD83D"), "keyPrefix must be valid Unicode"));
    }

    /** The message for a setting that does not fit has its name, its value and the rule. */
    @ParameterizedTest
    @MethodSource("wrongs")
    void settings_thatDoNotFit(Map.Entry<UnaryOperator<HoldfastBuilder>, String> wrong) {
        assertThatThrownBy(() -> wrong.getKey().apply(builder()).settings())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(wrong.getValue());
    }

    /** The order of the setters does not matter: the settings are checked as a whole. */
    @Test
    void settings_inAnyOrder() {
        Settings settings = builder()
                .commandTimeout(Duration.ofSeconds(40))
                .watchdogTimeout(Duration.ofSeconds(90))
                .settings();
        assertThat(settings.commandTimeout()).isEqualTo(Duration.ofSeconds(40));
    }

    /** Unless they are set, the other times follow from the watchdog timeout, up to a limit. */
    @Test
    void defaults_followTheWatchdogTimeout() {
        Settings settings = builder().settings();
        assertThat(settings.watchdogTimeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.commandTimeout()).isEqualTo(Duration.ofSeconds(3));
        assertThat(settings.reconnectDelay()).isEqualTo(Duration.ofMillis(500));
        assertThat(settings.driftAllowance()).isEqualTo(Duration.ofMillis(300));
        assertThat(settings.maxHold()).isNull();

        Settings brisk = builder().watchdogTimeout(Duration.ofMillis(600)).settings();
        assertThat(brisk.commandTimeout()).isEqualTo(Duration.ofMillis(200));
        assertThat(brisk.reconnectDelay()).isEqualTo(Duration.ofMillis(60));
        assertThat(brisk.driftAllowance()).isEqualTo(Duration.ofMillis(6));
    }

    /** The connect timeout is 10 s by default, or the command timeout if that is longer; an explicit one is kept. */
    @Test
    void connectTimeout_default() {
        assertThat(builder().settings().connectTimeout()).isEqualTo(Duration.ofSeconds(10));
        Settings patient = builder()
                .watchdogTimeout(Duration.ofSeconds(60))
                .commandTimeout(Duration.ofSeconds(20))
                .settings();
        assertThat(patient.connectTimeout()).isEqualTo(Duration.ofSeconds(20));
        Settings brisk = builder().connectTimeout(Duration.ofSeconds(1)).settings();
        assertThat(brisk.connectTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(brisk.commandTimeout()).isEqualTo(Duration.ofSeconds(3));
    }

    /** Without TLS options the JDK's trust store is used; configured options are passed on unchanged. */
    @Test
    void sslOptions_arePassedOn() {
        assertThat(builder().settings().sslOptions()).isNull();
        SslOptions options = SslOptions.create();
        Settings settings = builder()
                .redisUri("rediss://localhost:6379")
                .sslOptions(options)
                .settings();
        assertThat(settings.sslOptions()).isSameAs(options);
    }

    /** Options that have a cost or may surprise are off by default. */
    @Test
    void options_areOffByDefault() {
        assertThat(builder().settings().interruptOnLoss()).isFalse();
        assertThat(builder().settings().leakTracking()).isEqualTo(LeakTracking.OFF);
        Settings changed = builder()
                .interruptOnLoss(true)
                .leakTracking(LeakTracking.SAMPLED)
                .settings();
        assertThat(changed.interruptOnLoss()).isTrue();
        assertThat(changed.leakTracking()).isEqualTo(LeakTracking.SAMPLED);
    }

    /** A missing Redis URI, the one setting without a default, is reported. */
    @Test
    void redisUri_missing() {
        assertThatThrownBy(() -> Holdfast.builder().build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("redisUri must be set");
    }

    /** A malformed Redis URI is rejected with an example of a valid one. */
    @ParameterizedTest
    @ValueSource(strings = {"", "localhost:6379", "http://localhost", "redis://", "redis://a,,b", "redis://a:x,b"})
    void redisUri_malformed(String uri) {
        assertThatThrownBy(() -> Holdfast.builder().redisUri(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("redisUri must look like redis://host:6379");
    }

    /** A password in a malformed URI appears in no message and no cause. */
    @Test
    void redisUri_malformed_hidesThePassword() {
        assertThatThrownBy(() -> Holdfast.builder().redisUri("redis://app:pa^ss@localhost:6379"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at index")
                .hasMessageNotContaining("pa^ss")
                .hasNoCause();
    }

    /** Sentinels are asked for a master by its name, which must be there. */
    @Test
    void redisUri_sentinel_namesTheMaster() {
        String text = "redis-sentinel://:secret@one:26379,two:26380/3#master";
        RedisURI uri = Holdfast.builder().redisUri(text).settings().redisUri();
        assertThat(uri.getSentinels()).hasSize(2);
        assertThat(uri.getSentinelMasterId()).isEqualTo("master");

        assertThatThrownBy(() -> Holdfast.builder().redisUri("redis-sentinel://one:26379"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("redis-sentinel://host:26379,host:26379/0#name");
        uri.setSentinelMasterId("");
        assertThatThrownBy(() -> Holdfast.builder().redisUri(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name the master")
                .hasMessageNotContaining("secret");
    }

    /** Several nodes have the credentials, the security and the options of their common URI. */
    @Test
    void redisUri_severalNodes() {
        List<RedisURI> uris = Holdfast.builder()
                .redisUri("rediss://app:se,cret@one:7000,[::1]:7001,three?timeout=5s")
                .settings()
                .redisUris();
        assertThat(uris).extracting(RedisURI::getHost).containsExactly("one", "[::1]", "three");
        assertThat(uris).extracting(RedisURI::getPort).containsExactly(7000, 7001, 6379);
        assertThat(uris).allMatch(RedisURI::isSsl);
    }

    /**
     * A call waits for a failover only where there can be one, and for as long as is configured; otherwise for a reconnect, at
     * which its command is sent again.
     */
    @Test
    void failoverTimeout_default() {
        assertThat(builder().settings().outage(false)).isEqualTo(Duration.ofSeconds(6));
        assertThat(builder().settings().outage(true)).isEqualTo(Duration.ofSeconds(15));
        Settings patient = builder()
                .watchdogTimeout(Duration.ofSeconds(60))
                .commandTimeout(Duration.ofSeconds(20))
                .settings();
        assertThat(patient.outage(true)).isEqualTo(Duration.ofSeconds(40));
        Settings explicit = builder().failoverTimeout(Duration.ofSeconds(5)).settings();
        assertThat(explicit.outage(false)).isEqualTo(Duration.ofSeconds(5));
        assertThat(explicit.outage(true)).isEqualTo(Duration.ofSeconds(5));
    }
}
