package dev.holdfast.campaign.history;

/** The faults that a nemesis injects. */
public enum Fault {
    /** The server is stopped with SIGSTOP, and resumed later. */
    SERVER_PAUSED,
    /** The server is killed, and restarted with its data. */
    SERVER_KILLED,
    /** The server is killed, and restarted without its data. */
    SERVER_EMPTIED,
    /** The server's script cache is flushed. */
    SCRIPTS_FLUSHED,
    /** The key of a lock is deleted. */
    KEY_DELETED,
    /** A lock gets another master, which has all its data. */
    LOCK_MOVED,
    /** A replica takes the place of the master of a lock, and may lack what that has written last. */
    MASTER_REPLACED,
    /** Replicas receive nothing from their master. */
    REPLICAS_CUT,
    /** Sentinels are stopped with SIGSTOP, and resumed later. */
    SENTINELS_PAUSED,
    /** The process of a client is stopped with SIGSTOP, and resumed later; the target is the process. */
    CLIENT_PAUSED,
    /** The process of a client is killed; the target is the process. A replacement has another name. */
    CLIENT_KILLED,
    /** A client is closed while it is in use; the target is the process. A replacement has another name. */
    CLIENT_CLOSED,
    /** The Redis user of a client loses its right to the key of a lock; the target is the process. */
    KEY_FORBIDDEN,
    /** Connections end with a FIN. */
    CUT_FIN,
    /** Connections end with a RST, at any moment or in place of a reply. */
    CUT_RST,
    /** Data on the connections is delayed. */
    DELAYED,
    /** Connections stay open and transfer nothing. */
    BLACK_HOLED,
    /** Connections transfer nothing in one direction. */
    HALF_OPEN,
    /** All replies are lost after the server has executed the commands, and then their connections end. */
    REPLIES_SWALLOWED,
    /** Messages of some channels are lost; their subscriptions stay, and replies arrive. */
    MESSAGES_LOST,
    /** Commands of a dead connection arrive late. */
    BYTES_LATE
}
