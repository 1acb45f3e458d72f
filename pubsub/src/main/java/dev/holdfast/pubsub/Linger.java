package dev.holdfast.pubsub;

import io.netty.util.Timer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Ends the subscription of channels that have been unused for a while. Time is counted in periods of one linger: a
 * channel that became idle in one period, and was not used since, ends with the end of the next. There is one timeout
 * for all channels, none while no channel lingers, and the cost is the same if a channel is reused a thousand times in
 * between.
 */
final class Linger {
    private final Set<Channel> idle = ConcurrentHashMap.newKeySet();
    private final Consumer<Collection<Channel>> onLingerEnd;
    private final CoalescedTimer timer;
    /** Written only by the sweep; sweeps never overlap, since each one starts the next. */
    private volatile int period;

    /** {@code onLingerEnd} receives the channels whose linger is over. */
    Linger(Timer timer, Duration linger, Consumer<Collection<Channel>> onLingerEnd) {
        this.onLingerEnd = onLingerEnd;
        this.timer = new CoalescedTimer(timer, linger, this::sweep);
    }

    /** Removes this subscription; if it was the last one, the channel lingers. */
    void release(Subscription ended) {
        Channel channel = ended.channel;
        if (channel.release(ended, period)) {
            idle.add(channel);
            timer.request();
        }
    }

    void stop() {
        timer.stop();
        idle.clear();
    }

    private void sweep() {
        int now = period + 1;
        period = now;
        List<Channel> over =
                idle.stream().filter(channel -> !channel.lingersOn(now)).toList();
        for (Channel channel : over) {
            idle.remove(channel);
            // Its last subscription may have ended again between the check and the removal.
            if (channel.lingersOn(now)) {
                idle.add(channel);
            }
        }
        onLingerEnd.accept(over);
        if (!idle.isEmpty()) {
            timer.request();
        }
    }
}
