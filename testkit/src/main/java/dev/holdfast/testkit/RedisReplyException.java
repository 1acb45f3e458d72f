package dev.holdfast.testkit;

/**
 * A server's error reply to a command of a test; the message is the reply, as in {@code NOAUTH Authentication
 * required}.
 */
public final class RedisReplyException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RedisReplyException(String reply) {
        super(reply);
    }
}
