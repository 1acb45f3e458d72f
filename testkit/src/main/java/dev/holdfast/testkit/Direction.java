package dev.holdfast.testkit;

/** The two ways through a proxied connection. */
public enum Direction {
    /** From the client to the server. */
    REQUESTS,
    /** From the server to the client: replies, and unsolicited messages. */
    REPLIES
}
