package dev.holdfast.script;

import java.util.List;

/**
 * A hold of a fenced lock and its token.
 *
 * @param token 0 if the lock is free, or the token is missing
 * @param replied the token in the reply to the last command; 0 if it was granted nothing
 */
record TokenState(LockState hold, long token, long replied) {
    private static final String FIELD = ":token";

    /** Reads a reply of {@code acquire.lua} or {@code handoff.lua}, and one of {@code inspect.lua} after it. */
    static TokenState read(Object answer, Object inspected) {
        long token = 0;
        if (inspected instanceof List<?> entries) {
            for (int i = 1; i < entries.size(); i += 2) {
                if (String.valueOf(entries.get(i)).endsWith(FIELD)) {
                    token = Math.max(token, number(entries.get(i + 1)));
                }
            }
        }
        return new TokenState(LockState.read(inspected), token, tokenIn(answer));
    }

    /** {@return the token in the reply to a grant; 0 if the reply is no grant} */
    static long tokenIn(Object answer) {
        return answer instanceof List<?> granted && granted.size() == 2 ? number(granted.get(1)) : 0;
    }

    private static long number(Object text) {
        return Long.parseLong(String.valueOf(text));
    }

    boolean isFree() {
        return hold.equals(LockState.FREE);
    }

    /**
     * {@return whether a hold's token stays, and a new one's is larger than any before} The remainder of a hold that
     * its owner has closed has no holder, and still has that hold's token.
     */
    static boolean areInOrder(List<TokenState> states) {
        long last = 0;
        TokenState before = states.get(0);
        for (TokenState state : states) {
            boolean sameHold = before.hold.isSameHoldAs(state.hold);
            boolean left = before.hold.owner().equals(state.hold.owner()) && state.replied == 0;
            boolean kept = !before.isFree() && (sameHold || left);
            boolean inOrder = state.isFree() || (kept ? state.token == before.token : state.token > last);
            boolean replyMatches = state.replied == 0 || state.replied == state.token;
            if (!inOrder || !replyMatches) {
                return false;
            }
            last = Math.max(last, state.token);
            before = state;
        }
        return true;
    }
}
