package dev.holdfast.pubsub;

/** What one beat of the heart does. */
enum HeartbeatAction {
    /** Nobody waits for anything: no more pings until somebody does. */
    REST,
    /** There is no connection to ask; look again. */
    AWAIT_CONNECTION,
    PING,
    /** Too many pings went unanswered: this connection is dead, whatever the operating system says. */
    RECONNECT;

    /** Decides; talks to nobody. */
    static HeartbeatAction next(boolean expecting, boolean connected, int unanswered, int allowed) {
        if (!expecting) {
            return REST;
        }
        if (!connected) {
            return AWAIT_CONNECTION;
        }
        return unanswered < allowed ? PING : RECONNECT;
    }
}
