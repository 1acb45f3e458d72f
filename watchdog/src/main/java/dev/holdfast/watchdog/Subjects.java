package dev.holdfast.watchdog;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls subjects. An exception of a subject is logged, so that no renewal fails because of it. */
final class Subjects {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

    private Subjects() {}

    static void notifyRenewed(LeaseSubject subject) {
        try {
            subject.renewed();
        } catch (Throwable t) {
            logFailure(subject, t);
        }
    }

    static void notifyAtRisk(LeaseSubject subject, long remainingNanos) {
        try {
            subject.atRisk(remainingNanos);
        } catch (Throwable t) {
            logFailure(subject, t);
        }
    }

    static void notifyAbandoned(LeaseSubject subject, long remainingNanos) {
        try {
            subject.abandoned(remainingNanos);
        } catch (Throwable t) {
            logFailure(subject, t);
        }
    }

    /** Does nothing when the loss is null. */
    static void notifyLost(LeaseSubject subject, @Nullable LossCause loss) {
        if (loss == null) {
            return;
        }
        try {
            subject.lost(loss);
        } catch (Throwable t) {
            logFailure(subject, t);
        }
    }

    static boolean isAbandoned(LeaseSubject subject) {
        try {
            return subject.isAbandoned();
        } catch (Throwable t) {
            LOG.warn("{} failed in isAbandoned; its lease is still renewed", subject, t);
            return false;
        }
    }

    private static void logFailure(LeaseSubject subject, Throwable thrown) {
        LOG.warn("{} failed in a notification about its lease", subject, thrown);
    }
}
