package dev.holdfast.campaign.history;

/** What a nemesis does. */
public enum Fault {
    /** The server is stopped with SIGSTOP, and goes on later. */
    SERVER_PAUSED,
    /** The server is killed and started again with its data. */
    SERVER_KILLED,
    /** The server is killed and started again without its data. */
    SERVER_EMPTIED,
    /** The server's scripts are forgotten. */
    SCRIPTS_FLUSHED,
    /** A lock's key is deleted, or the lock forced open. */
    KEY_DELETED,
    /** A client's process is stopped with SIGSTOP, and goes on later; the target is the process. */
    CLIENT_PAUSED,
    /** A client's process is killed; the target is the process. It does not come back under its name. */
    CLIENT_KILLED,
    /** A client's Redis user may not touch the key of a lock; the target is the process. */
    KEY_FORBIDDEN,
    /** Connections end with a FIN. */
    CUT_FIN,
    /** Connections end with a RST. */
    CUT_RST,
    /** Connections are slow. */
    DELAYED,
    /** Connections carry nothing, and nobody is told. */
    BLACK_HOLED,
    /** Connections carry nothing in one direction. */
    HALF_OPEN,
    /** Replies are lost after the server has acted. */
    REPLIES_SWALLOWED,
    /** The bytes of a dead connection arrive late. */
    BYTES_LATE
}
