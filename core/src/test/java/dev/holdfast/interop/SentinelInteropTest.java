package dev.holdfast.interop;

import static dev.holdfast.interop.BothLibraries.NAME;

import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.DataNode;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.redisson.config.Config;

/**
 * One client of each library, whose master is replaced by sentinels: what one of them holds is kept from the other, whose
 * waiter is woken by the release at the new master. On Redis 6.2 and 7.0.
 */
@Tag("interop")
@Tag("slow")
class SentinelInteropTest {
    /** A busy machine may make a master wait for a second: it must not be replaced once more for that. */
    private static final Duration DOWN_AFTER = Duration.ofSeconds(2);

    static Stream<Arguments> replacements() {
        return Stream.of(RedisBinary.embedded(), RedisBinary.byDefault())
                .flatMap(binary -> Arrays.stream(Replacement.values()).map(each -> Arguments.of(binary, each)));
    }

    /** Why the master is replaced. */
    enum Replacement {
        PLANNED,
        KILLED
    }

    private static final class Both implements AutoCloseable, BothLibraries.Servers {
        private final RedisSentinels sentinels;
        private final BothLibraries libraries;

        Both(RedisBinary binary) {
            sentinels = RedisSentinels.builder()
                    .binary(binary)
                    .downAfter(DOWN_AFTER)
                    .start();
            Config config = new Config();
            config.useSentinelServers()
                    .setMasterConnectionMinimumIdleSize(1)
                    .setSlaveConnectionMinimumIdleSize(1)
                    .setMasterName(RedisSentinels.MASTER_NAME)
                    .addSentinelAddress(sentinels.sentinels().stream()
                            .map(sentinel -> "redis://" + sentinel.host() + ":" + sentinel.port())
                            .toArray(String[]::new))
                    .setScanInterval(BothLibraries.SCANNED_MILLIS);
            libraries = new BothLibraries(sentinels.uri(), config);
        }

        @Override
        public DataNode master() {
            return sentinels.master();
        }

        @Override
        public void awaitInSync() {
            sentinels.replicas().forEach(sentinels::awaitInSync);
        }

        @Override
        public boolean areListenedTo() {
            Object channels = master().server().command("PUBSUB", "CHANNELS", "redisson_lock__channel:{" + NAME + "}");
            return !((List<?>) Objects.requireNonNull(channels)).isEmpty();
        }

        void replace(Replacement why) {
            switch (why) {
                case PLANNED -> sentinels.failover();
                case KILLED -> {
                    DataNode former = master();
                    former.server().kill();
                    sentinels.awaitMasterOtherThan(former);
                }
            }
        }

        @Override
        public void close() {
            libraries.close();
            sentinels.close();
        }
    }

    /** Redisson's hold goes on at the new master, and its release there wakes our waiter. */
    @ParameterizedTest
    @MethodSource("replacements")
    void replaced_theirsIsKept_wakesOurWaiter(RedisBinary binary, Replacement why) {
        try (Both both = new Both(binary)) {
            both.libraries.theyHoldThrough(both, () -> both.replace(why));
        }
    }

    /** And the reverse. */
    @ParameterizedTest
    @MethodSource("replacements")
    void replaced_oursIsKept_wakesTheirWaiter(RedisBinary binary, Replacement why) {
        try (Both both = new Both(binary)) {
            both.libraries.weHoldThrough(both, () -> both.replace(why));
        }
    }
}
