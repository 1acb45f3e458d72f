package dev.holdfast.watchdog;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls subjects. An exception of a subject is logged, so that no renewal fails because of it. */
final class Subjects {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

    private Subjects() {}

    static void tellRenewed(LeaseSubject subject) {
        try {
            subject.renewed();
        } catch (Throwable t) {
            deaf(subject, t);
        }
    }

    static void tellAtRisk(LeaseSubject subject, long remainingNanos) {
        try {
            subject.atRisk(remainingNanos);
        } catch (Throwable t) {
            deaf(subject, t);
        }
    }

    static void tellAbandoned(LeaseSubject subject, long remainingNanos) {
        try {
            subject.abandoned(remainingNanos);
        } catch (Throwable t) {
            deaf(subject, t);
        }
    }

    /** Does nothing when the loss is null. */
    static void tellLost(LeaseSubject subject, @Nullable LossCause loss) {
        if (loss == null) {
            return;
        }
        try {
            subject.lost(loss);
        } catch (Throwable t) {
            deaf(subject, t);
        }
    }

    static boolean isAbandoned(LeaseSubject subject) {
        try {
            return subject.isAbandoned();
        } catch (Throwable t) {
            LOG.warn("{} failed to say whether it is abandoned; taken for alive", subject, t);
            return false;
        }
    }

    private static void deaf(LeaseSubject subject, Throwable thrown) {
        LOG.warn("{} failed to hear news of its lease", subject, thrown);
    }
}
