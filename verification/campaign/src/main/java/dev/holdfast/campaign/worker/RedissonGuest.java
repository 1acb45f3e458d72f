package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.schedule.ActorKind;
import dev.holdfast.campaign.schedule.RoundPlan;
import dev.holdfast.campaign.schedule.Theme;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.List;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * A Redisson client, with its defaults except for the watchdog timeout, and for how often it queries which node is master: the
 * servers of a round fail over faster than others.
 */
final class RedissonGuest implements Client {
    private static final Duration ASKS = Duration.ofMillis(500);

    private final Diary diary;
    private final RedissonClient redisson;
    private final String id;
    private final boolean readWrite;

    RedissonGuest(String redisUri, RoundPlan plan, Diary diary) {
        Config config = new Config();
        config.setLockWatchdogTimeout(plan.watchdogTimeout().toMillis());
        address(config, redisUri, plan.theme());
        this.diary = diary;
        this.readWrite = plan.theme().isReadWrite();
        this.redisson = Redisson.create(config);
        this.id = redisson.getId();
    }

    private static void address(Config config, String redisUri, Theme theme) {
        int asks = (int) ASKS.toMillis();
        if (theme.isOnCluster()) {
            config.useClusterServers().addNodeAddress(redisUri).setScanInterval(asks);
        } else if (theme.isUnderSentinels()) {
            RedisURI uri = RedisURI.create(redisUri);
            config.useSentinelServers()
                    .setMasterName(uri.getSentinelMasterId())
                    .addSentinelAddress(uri.getSentinels().stream()
                            .map(sentinel -> "redis://" + sentinel.getHost() + ":" + sentinel.getPort())
                            .toArray(String[]::new))
                    .setScanInterval(asks);
        } else {
            config.useSingleServer().setAddress(redisUri);
        }
    }

    @Override
    public Door door(ActorKind kind) {
        return new RedissonDoor(
                redisson, diary, id + ":" + Thread.currentThread().getId(), readWrite);
    }

    /** Its internal state is not accessible. */
    @Override
    public List<String> residue() {
        return List.of();
    }

    @Override
    public List<String> close() {
        redisson.shutdown();
        return List.of();
    }
}
