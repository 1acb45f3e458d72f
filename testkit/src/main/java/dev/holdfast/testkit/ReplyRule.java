package dev.holdfast.testkit;

import org.jspecify.annotations.Nullable;

/** An action to apply, once, to the reply to a certain request. Used on the proxy's event loop only. */
final class ReplyRule {
    /** The effect that replaces the reply, after the server has executed the request. */
    enum Fate {
        /** The reply is lost, the connection stays open. */
        SWALLOW,
        /** The connection is reset in both directions. */
        CUT
    }

    private final Fate fate;
    /** The text that the request must contain; null for the next request that is answered. */
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

    /** Claims a request that has just been sent, if this rule matches it. */
    boolean claimsRequest(RespFrame request) {
        return spend(needle != null && request.contains(needle));
    }

    /** Claims a reply that has just arrived, if this rule matches any request. */
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
