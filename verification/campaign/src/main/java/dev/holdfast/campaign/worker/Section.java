package dev.holdfast.campaign.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The work of an actor while it holds a lock: it writes to the resource that the lock protects, and checks repeatedly
 * that its hold is valid, until the work is done.
 */
final class Section {
    private static final long CHECK_INTERVAL_NANOS = 300_000;

    /** A process that is killed loses what it has not recorded. */
    private static final long RECORD_EVERY_NANOS = Duration.ofMillis(20).toNanos();

    /** More than any report of a loss may take; if there is none within it, the actor continues. */
    private static final long REPORT_TIMEOUT_NANOS = Duration.ofSeconds(1).toNanos();

    private final Diary diary;
    private final Resource resource;

    Section(Diary diary, Resource resource) {
        this.diary = diary;
        this.resource = resource;
    }

    /**
     * Returns when the work is done or a check finds the hold invalid. In the latter case it writes once more, like a
     * holder that does not check, and waits until the loss was reported, at most for {@link #REPORT_TIMEOUT_NANOS}.
     */
    void work(Stay stay, Duration work) {
        long end = System.nanoTime() + work.toNanos();
        stay.grants().forEach(this::write);
        boolean valid = true;
        while (valid && System.nanoTime() - end < 0) {
            valid = believe(stay, end);
        }
        if (!valid) {
            lost(stay, end);
        }
    }

    /** Which of several locks is lost is not seen; the holder works on, and the others must not be free. */
    private void lost(Stay stay, long end) {
        List<Grant> grants = stay.grants();
        if (grants.size() == 1) {
            diary.seenLost(stay.grant().op());
        }
        grants.forEach(this::write);
        awaitReport(stay);
        if (grants.size() > 1) {
            for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(Math.min(left, RECORD_EVERY_NANOS));
            }
        }
    }

    private void awaitReport(Stay stay) {
        long since = System.nanoTime();
        while (stay.grants().stream().noneMatch(grant -> diary.wasAnnounced(grant.op(), stay.reportChannels()))
                && System.nanoTime() - since < REPORT_TIMEOUT_NANOS) {
            LockSupport.parkNanos(CHECK_INTERVAL_NANOS);
        }
    }

    private void write(Grant grant) {
        if (grant.token() > 0) {
            long since = System.nanoTime();
            long sequence = resource.write(grant.lock(), grant.token());
            diary.wrote(grant.op(), since, grant.lock(), grant.token(), sequence);
        }
    }

    /**
     * {@return whether every check found the hold valid} The time between the first and the last check that did is
     * recorded.
     */
    private boolean believe(Stay stay, long end) {
        if (!stay.isValid()) {
            return false;
        }
        long since = System.nanoTime();
        long until = since;
        boolean valid = true;
        while (valid && until - end < 0 && until - since < RECORD_EVERY_NANOS) {
            LockSupport.parkNanos(CHECK_INTERVAL_NANOS);
            long checked = System.nanoTime();
            valid = stay.isValid();
            until = valid ? checked : until;
        }
        if (until - since > 0) {
            for (Grant grant : stay.grants()) {
                diary.believed(grant.op(), since, until);
            }
        }
        return valid;
    }
}
