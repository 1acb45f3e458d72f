package dev.holdfast.testkit;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds for each frame of a server the request on the same connection that it answers. Replies come in the order of the
 * requests, with messages in between that answer none. In RESP3 those have a type of their own; in RESP2 they are
 * arrays that look like any other and are recognized by their first string, on a connection with a subscription.
 *
 * <p>A subscription is answered once for each channel. An unsubscription without channels ends all subscriptions, and
 * the number of its replies is not known here: it counts as answered when a later request is.
 */
final class ReplyMatcher {
    private static final Set<String> MESSAGES = Set.of("message", "pmessage", "smessage");
    private static final Set<String> SUBSCRIPTIONS =
            Set.of("subscribe", "psubscribe", "ssubscribe", "unsubscribe", "punsubscribe", "sunsubscribe");

    private final Deque<Request> unanswered = new ArrayDeque<>();
    private boolean resp3;
    private boolean subscribed;

    /** A request in flight, and the rule that claimed it. */
    static final class Request {
        private final String name;
        private final @Nullable ReplyRule rule;
        /** Confirmations still to come; below 1 for a subscription of unknown size. */
        private int confirmations;

        private Request(String name, int confirmations, @Nullable ReplyRule rule) {
            this.name = name;
            this.confirmations = confirmations;
            this.rule = rule;
        }

        private boolean isSubscription() {
            return SUBSCRIPTIONS.contains(name);
        }

        String name() {
            return name;
        }

        @Nullable
        ReplyRule rule() {
            return rule;
        }
    }

    /** Records a request in flight. */
    Request request(RespFrame frame, @Nullable ReplyRule rule) {
        List<String> words = frame.words();
        String name = words.isEmpty() ? "" : words.get(0).toLowerCase(Locale.ROOT);
        if (name.equals("hello") && words.size() > 1) {
            resp3 = words.get(1).equals("3");
        }
        Request request = new Request(name, words.size() - 1, rule);
        subscribed |= request.isSubscription();
        unanswered.add(request);
        return request;
    }

    /** {@return the request that this frame answers, or null if it answers none} */
    @Nullable
    Request answeredBy(RespFrame frame) {
        String kind = kindOfMessage(frame);
        if (kind == null) {
            return ordinary(frame);
        }
        return MESSAGES.contains(kind) ? null : confirmed(kind);
    }

    /** The first string of a possible message or confirmation of a subscription, null for an ordinary reply. */
    private @Nullable String kindOfMessage(RespFrame frame) {
        boolean candidate = frame.type() == '>' || (frame.type() == '*' && !resp3 && subscribed);
        if (!candidate) {
            return null;
        }
        List<String> words = frame.words();
        String kind = words.isEmpty() ? "" : words.get(0);
        boolean known = MESSAGES.contains(kind) || SUBSCRIPTIONS.contains(kind);
        return known || frame.type() == '>' ? kind : null;
    }

    private @Nullable Request confirmed(String kind) {
        Request head = unanswered.peek();
        while (head != null && head.isSubscription() && !head.name.equals(kind)) {
            unanswered.remove();
            head = unanswered.peek();
        }
        if (head == null || !head.name.equals(kind)) {
            return null;
        }
        head.confirmations--;
        if (head.confirmations == 0) {
            unanswered.remove();
        }
        return head;
    }

    /**
     * A refused subscription is answered by an error; any other reply shows that the subscriptions before it are done.
     */
    private @Nullable Request ordinary(RespFrame frame) {
        if (frame.type() != '-') {
            while (!unanswered.isEmpty() && unanswered.peek().isSubscription()) {
                unanswered.remove();
            }
        }
        return unanswered.poll();
    }
}
