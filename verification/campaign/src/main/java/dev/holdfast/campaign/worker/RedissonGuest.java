package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.schedule.ActorKind;
import java.time.Duration;
import java.util.List;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A Redisson client, with its defaults except for the watchdog timeout. */
final class RedissonGuest implements Client {
    private final Diary diary;
    private final RedissonClient redisson;
    private final String id;

    RedissonGuest(String redisUri, Duration watchdogTimeout, Diary diary) {
        Config config = new Config();
        config.setLockWatchdogTimeout(watchdogTimeout.toMillis());
        config.useSingleServer().setAddress(redisUri);
        this.diary = diary;
        this.redisson = Redisson.create(config);
        this.id = redisson.getId();
    }

    @Override
    public Door door(ActorKind kind) {
        return new RedissonDoor(
                redisson, diary, id + ":" + Thread.currentThread().getId());
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
