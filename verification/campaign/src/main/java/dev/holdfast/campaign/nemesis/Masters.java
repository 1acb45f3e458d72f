package dev.holdfast.campaign.nemesis;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Servers of which one takes the place of another. */
public sealed interface Masters extends Servers permits ClusterServers, SentinelServers {
    /**
     * How long a stopped master stays stopped after it was replaced. A reply that it sends then is no reply that was on
     * its way when it was replaced.
     */
    Duration STOPPED_AFTERWARDS = Duration.ofSeconds(1);

    /** The master of this lock is replaced on request. */
    Affliction replaced(String lock);

    /** The master of this lock is killed, and is a replica when it has been restarted. */
    Affliction killed(String lock);

    /**
     * The master of this lock is stopped until it was replaced. When it is resumed, it executes what it has received
     * while it was stopped, since it does not know of that.
     */
    Affliction paused(String lock);

    /** The replicas of this lock's master receive nothing more from it. */
    Affliction cutOff(String lock);

    /** Waits for {@link #STOPPED_AFTERWARDS}. */
    static void stayStopped() {
        LockSupport.parkNanos(STOPPED_AFTERWARDS.toNanos());
    }
}
