package dev.holdfast.pubsub;

/** The action of one check of the {@link Heartbeat}. */
enum HeartbeatAction {
    /** There are no waiters: no more pings until there are. */
    REST,
    /** There is no connection to ping; check again after an interval. */
    AWAIT_CONNECTION,
    PING,
    /** Too many pings went unanswered: this connection is dead, even if the operating system has not reported that. */
    RECONNECT;

    /** Decides, without side effects. */
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
