package dev.holdfast;

import dev.holdfast.testkit.RedisBinary;
import dev.holdfast.testkit.topology.RedisSentinels;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One master under sentinels for all tests of a class, and two clients of it. */
public final class SharedSentinels implements AfterAllCallback {
    private final RedisSentinels sentinels;
    private final Holdfast first;
    private final Holdfast second;

    public SharedSentinels(RedisBinary binary, int replicas) {
        this(binary, replicas, builder -> builder);
    }

    /** @param settings of both clients */
    public SharedSentinels(RedisBinary binary, int replicas, UnaryOperator<HoldfastBuilder> settings) {
        sentinels = RedisSentinels.builder().binary(binary).replicas(replicas).start();
        first = connect(settings);
        second = connect(settings);
    }

    public RedisSentinels sentinels() {
        return sentinels;
    }

    public Holdfast client() {
        return first;
    }

    /** {@return another client, which competes with the first one} */
    public Holdfast rival() {
        return second;
    }

    /** {@return a client that the test closes} */
    public Holdfast connect(UnaryOperator<HoldfastBuilder> settings) {
        return settings.apply(Holdfast.builder().redisUri(sentinels.uri())).build();
    }

    /** {@return the keys on the master, except for tokens of fenced locks, which stay} */
    public List<String> keys() {
        return LockKinds.withoutTokens(sentinels.master().server().keys());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        first.close();
        second.close();
        sentinels.close();
    }
}
