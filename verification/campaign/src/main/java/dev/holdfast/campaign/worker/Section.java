package dev.holdfast.campaign.worker;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * What an actor does while it holds a lock: it writes to what the lock protects, and looks, again and again, whether it still
 * holds it, until its work is done.
 */
final class Section {
    private static final long LOOK_EVERY_NANOS = 300_000;

    /** A process that is killed takes along what it has not written down. */
    private static final long RECORD_EVERY_NANOS = Duration.ofMillis(20).toNanos();

    /** More than any holder may have to wait for what it is told; who has heard nothing by then stays silent. */
    private static final long LONGEST_TELLING_NANOS = Duration.ofSeconds(1).toNanos();

    private final Diary diary;
    private final Resource resource;

    Section(Diary diary, Resource resource) {
        this.diary = diary;
        this.resource = resource;
    }

    /**
     * Ends when the work is done, or when the hold is seen to be lost; then it writes all the same, as one who does not look, and
     * stays until it has been told.
     */
    void work(Stay stay, Duration work) {
        long end = System.nanoTime() + work.toNanos();
        write(stay.grant());
        boolean valid = true;
        while (valid && System.nanoTime() - end < 0) {
            valid = believe(stay, end);
        }
        if (!valid) {
            diary.seenLost(stay.grant().op());
            write(stay.grant());
            hear(stay);
        }
    }

    private void hear(Stay stay) {
        long since = System.nanoTime();
        while (!diary.wasAnnounced(stay.grant().op(), stay.told())
                && System.nanoTime() - since < LONGEST_TELLING_NANOS) {
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
    }

    private void write(Grant grant) {
        if (grant.token() > 0) {
            long since = System.nanoTime();
            long sequence = resource.write(grant.lock(), grant.token());
            diary.wrote(grant.op(), since, grant.lock(), grant.token(), sequence);
        }
    }

    /** {@return whether every look found the hold valid} What lies between the first and the last that did is recorded. */
    private boolean believe(Stay stay, long end) {
        if (!stay.isValid()) {
            return false;
        }
        long since = System.nanoTime();
        long until = since;
        boolean valid = true;
        while (valid && until - end < 0 && until - since < RECORD_EVERY_NANOS) {
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
            long asked = System.nanoTime();
            valid = stay.isValid();
            until = valid ? asked : until;
        }
        if (until - since > 0) {
            diary.believed(stay.grant().op(), since, until);
        }
        return valid;
    }
}
