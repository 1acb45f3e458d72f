package dev.holdfast.testkit;

import org.jspecify.annotations.Nullable;

/** What is to happen, once, to the reply to a certain request. Used on the proxy's event loop only. */
final class ReplyRule {
    /** What happens instead of the reply; the server has acted by then. */
    enum Fate {
        /** The reply is lost, the connection lives. */
        SWALLOW,
        /** The connection is reset in both directions. */
        CUT
    }

    private final Fate fate;
    /** What the request must contain; null for whichever is answered next. */
    private final @Nullable String needle;

    private boolean spent;

    ReplyRule(Fate fate, @Nullable String needle) {
        this.fate = fate;
        this.needle = needle;
    }

    Fate fate() {
        return fate;
    }

    boolean isSpent() {
        return spent;
    }

    /** Claims a request that has just been sent, if it is the one this rule waits for. */
    boolean claimsRequest(RespFrame request) {
        return spend(needle != null && request.contains(needle));
    }

    /** Claims a reply that has just come, if this rule does not care what was asked. */
    boolean claimsReply() {
        return spend(needle == null);
    }

    private boolean spend(boolean applies) {
        if (spent || !applies) {
            return false;
        }
        spent = true;
        return true;
    }
}
