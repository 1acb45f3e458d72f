package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event.Believed;
import dev.holdfast.campaign.history.Event.DataLost;
import dev.holdfast.campaign.history.Operation;

/**
 * When a hold that vanished from the server is noticed: <em>A lost hold is known</em>, in the guarantees. By the next renewal, if
 * it is renewed; by the reconnect, if the server was restarted without its data, and then with an explicit lease as well. A
 * fault that hits the client meanwhile gives it as long as it needs to mend. A key that is deleted beside the connection
 * tells nobody: an explicit lease may be believed in to its end.
 */
final class Vanished {
    private final Terms terms;
    private final Windows windows;

    Vanished(Terms terms, Windows windows) {
        this.terms = terms;
        this.windows = windows;
    }

    /** {@return when a hold that was lost this way is known to be, at the latest; {@link Operation#NEVER} if no earlier than by its lease} */
    long noticed(Span span, DataLost loss) {
        boolean restarted = loss.lock().equals(DataLost.ALL);
        if (!restarted && !span.isWatched()) {
            return Operation.NEVER;
        }
        long due = loss.at() + (restarted ? terms.reconnectNanos() : terms.noticeNanos());
        return windows.undisturbed(span.process(), loss.at() + 1, due, terms.mendingNanos());
    }

    /**
     * Judges a hold by each loss of its lock that it has lived to see, whether or not another owner took the lock meanwhile:
     * once it should have been noticed, no look finds it valid. A client of another library promises no such thing.
     */
    void judge(Span span, Verdict.Draft draft) {
        if (span.grant().called().by() == By.REDISSON) {
            return;
        }
        long believed = span.believed().stream().mapToLong(Believed::at).max().orElse(Long.MIN_VALUE);
        for (DataLost loss : windows.losses(span.lock())) {
            boolean wasThere = span.grant().end() < loss.since() && span.releasing() > loss.at();
            if (wasThere && believed > noticed(span, loss)) {
                draft.violated(
                        believed,
                        span.lock(),
                        span + " vanished at " + loss.at() + " at the latest and was believed in "
                                + (believed - noticed(span, loss)) + " ns after that should have been noticed");
            }
        }
    }
}
