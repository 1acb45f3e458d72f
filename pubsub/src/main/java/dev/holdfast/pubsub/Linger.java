package dev.holdfast.pubsub;

import io.netty.util.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Lets channels go that nobody has used for a while. Time is counted in periods of one linger: what fell idle in one
 * period and has not been used since goes at the end of the next. One timeout for all channels, none while nothing
 * lingers, and the same cost for a channel that is picked up again a thousand times in between.
 */
final class Linger {
    private final Set<Channel> idle = ConcurrentHashMap.newKeySet();
    private final Consumer<Collection<Channel>> letGo;
    private final CoalescedTimer pulse;
    /** Written by the sweep only, and one sweep starts the next. */
    private volatile int period;

    /** {@code letGo} is told of the channels whose time is over. */
    Linger(Timer timer, Duration linger, Consumer<Collection<Channel>> letGo) {
        this.letGo = letGo;
        this.pulse = new CoalescedTimer(timer, linger, this::sweep);
    }

    /** Gives up one subscription; if it is the last, the channel lingers. */
    void release(Channel channel) {
        if (channel.release(period)) {
            idle.add(channel);
            pulse.request();
        }
    }

    void stop() {
        pulse.stop();
        idle.clear();
    }

    private void sweep() {
        int now = period + 1;
        period = now;
        List<Channel> over =
                idle.stream().filter(channel -> !channel.lingersOn(now)).toList();
        for (Channel channel : over) {
            idle.remove(channel);
            // It may have been given up again between the look and the removal.
            if (channel.lingersOn(now)) {
                idle.add(channel);
            }
        }
        letGo.accept(over);
        if (!idle.isEmpty()) {
            pulse.request();
        }
    }
}
