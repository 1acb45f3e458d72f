package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event.Believed;
import dev.holdfast.campaign.history.Event.DataLost;
import dev.holdfast.campaign.history.Operation;

/**
 * When a hold that vanished from the server is detected: <em>Losses are reported</em>, in the guarantees. By the next
 * renewal, if it is renewed; by the reconnect, if the server was restarted without its data, and then a hold with an
 * explicit lease as well. If a fault hits the client before that, it has as long as it needs to recover. The deletion of
 * a key is not published, so an explicit lease may be considered valid until its end.
 *
 * <p>A hold that was lost in a failover is detected by the next connection, which is to the new master. A client of
 * another library does not look for such a loss.
 */
final class Vanished {
    private final Terms terms;
    private final Windows windows;

    Vanished(Terms terms, Windows windows) {
        this.terms = terms;
        this.windows = windows;
    }

    /**
     * {@return the latest time at which a hold that was lost this way is known to be; {@link Operation#NEVER} if only
     * its lease bounds that time}
     */
    long noticed(Span span, DataLost loss) {
        boolean restarted = loss.lock().equals(DataLost.ALL) || !loss.certain();
        boolean isGuest = span.grant().called().by() == By.REDISSON;
        if ((!restarted && !span.isWatched()) || (!loss.certain() && isGuest)) {
            return Operation.NEVER;
        }
        long due = loss.at() + (restarted ? terms.reconnectNanos() : terms.noticeNanos());
        return windows.undisturbed(span.process(), loss.at() + 1, due, terms.mendingNanos());
    }

    /**
     * Judges a hold by each certain loss of its lock during it, whether or not another owner acquired the lock
     * in between: after the time at which the loss should have been detected, no check finds the hold valid. A client of
     * another library does not promise this.
     */
    void judge(Span span, Verdict.Draft draft) {
        if (span.grant().called().by() == By.REDISSON) {
            return;
        }
        long believed = span.believed().stream().mapToLong(Believed::at).max().orElse(Long.MIN_VALUE);
        for (DataLost loss : windows.losses(span.lock())) {
            boolean wasThere = loss.certain() && span.grant().end() < loss.since() && span.releasing() > loss.at();
            if (wasThere && believed > noticed(span, loss)) {
                draft.violated(
                        believed,
                        span.lock(),
                        span + " vanished at " + loss.at() + " at the latest and was considered valid "
                                + (believed - noticed(span, loss)) + " ns after that should have been detected");
            }
        }
    }
}
