package dev.holdfast.campaign.schedule;

/** The kinds of faults, in the order of the report. */
public enum FaultKind {
    SERVER_PAUSED("Redis stopped (SIGSTOP) for less than a lease", Target.SERVER, Span.SHORT),
    SERVER_PAUSED_LONG("Redis stopped for longer than the lease", Target.SERVER, Span.PAST_THE_LEASE),
    SERVER_KILLED("Redis killed (-9), restarted with its data", Target.SERVER, Span.SHORT),
    SERVER_EMPTIED("Redis killed (-9), restarted without its data", Target.SERVER, Span.SHORT),
    SCRIPTS_FLUSHED("`SCRIPT FLUSH`", Target.SERVER, Span.INSTANT),
    KEY_DELETED("`DEL` of a lock", Target.SERVER, Span.INSTANT),
    MASTER_REPLACED("a master of the cluster replaced by its replica, as agreed", Target.MASTER, Span.INSTANT),
    MASTER_TAKEN_OVER(
            "a master of the cluster replaced by its replica, without a vote (`TAKEOVER`)",
            Target.MASTER,
            Span.INSTANT),
    MASTER_SWITCHED("the master replaced by its sentinels, on request", Target.MASTER, Span.INSTANT),
    MASTER_KILLED("a master killed (-9), its replica takes over", Target.MASTER, Span.SHORT),
    MASTER_PAUSED("a master stopped (SIGSTOP) until it was replaced, resumed afterwards", Target.MASTER, Span.SHORT),
    REPLICAS_CUT("the replicas of a master cut off from it, before it is killed", Target.MASTER, Span.SHORT),
    SENTINEL_PAUSED("one sentinel stopped (SIGSTOP)", Target.MASTER, Span.SHORT),
    SENTINELS_PAUSED("all sentinels stopped", Target.MASTER, Span.SHORT),
    SLOT_MOVED("the slot of a lock moved to another master", Target.MASTER, Span.INSTANT),
    CLIENT_PAUSED("client stopped (SIGSTOP) for less than a lease", Target.CLIENT, Span.SHORT),
    CLIENT_PAUSED_LONG("client stopped for longer than the lease", Target.CLIENT, Span.PAST_THE_LEASE),
    CLIENT_KILLED("client killed (-9), another started", Target.CLIENT, Span.INSTANT),
    CLIENT_CLOSED("client closed while it is in use, another opened", Target.CLIENT, Span.INSTANT),
    KEY_FORBIDDEN("the key of a lock forbidden to a client's user", Target.CLIENT, Span.PAST_THE_LEASE),
    CUT_FIN("connections cut (FIN)", Target.LINK, Span.INSTANT),
    CUT_RST("connections cut (RST)", Target.LINK, Span.INSTANT),
    CONNECTIONS_REFUSED("connections cut, new ones refused", Target.LINK, Span.SHORT),
    DELAY("everything late by milliseconds", Target.LINK, Span.SHORT),
    REQUESTS_LATE("requests late by more than the command timeout", Target.LINK, Span.PAST_THE_LEASE),
    REPLIES_LATE("replies late by more than the command timeout", Target.LINK, Span.PAST_THE_LEASE),
    BLACK_HOLE("black hole, both ways", Target.LINK, Span.SHORT),
    BLACK_HOLE_LONG("black hole for longer than the lease", Target.LINK, Span.PAST_THE_LEASE),
    REQUESTS_LOST("half-open: requests do not arrive", Target.LINK, Span.SHORT),
    REPLIES_LOST("half-open: replies do not arrive", Target.LINK, Span.SHORT),
    BLACK_HOLE_SUBSCRIPTIONS("black hole for subscriptions only", Target.LINK, Span.SHORT),
    UNSUBSCRIBED("subscriptions cut, new connections refused", Target.LINK, Span.PAST_THE_LEASE),
    GRANTS_LOST("messages of grants to clients in line, and of signals, lost", Target.LINK, Span.SHORT),
    REPLIES_SWALLOWED("replies swallowed after the server acted", Target.LINK, Span.SHORT),
    REPLIES_CUT("connection cut instead of the reply", Target.LINK, Span.SHORT),
    LATE_BYTES("bytes of a dead connection released late", Target.LINK, Span.SHORT);

    private final String text;
    private final Target target;
    private final Span span;

    FaultKind(String text, Target target, Span span) {
        this.text = text;
        this.target = target;
        this.span = span;
    }

    /** The target of a fault. */
    public enum Target {
        /** Redis, and thereby all clients. */
        SERVER,
        /** The master of one lock, or those that replace it, and thereby all clients. */
        MASTER,
        /** The process of one client. */
        CLIENT,
        /** The network between one client and Redis. */
        LINK
    }

    /** The length of a fault. */
    enum Span {
        /** No duration. */
        INSTANT,
        /** Less than a lease. */
        SHORT,
        /** Longer than a lease that is not renewed during it. */
        PAST_THE_LEASE
    }

    /** {@return the description for the report} */
    public String text() {
        return text;
    }

    public Target target() {
        return target;
    }

    Span span() {
        return span;
    }

    /** {@return whether a replica takes the place of its master, and may lack what that has written last} */
    public boolean replacesMaster() {
        return this == MASTER_TAKEN_OVER || this == MASTER_SWITCHED || this == MASTER_KILLED || this == MASTER_PAUSED;
    }

    /** {@return whether all clients are hit} */
    boolean hitsAll() {
        return target == Target.SERVER || target == Target.MASTER;
    }

    /**
     * {@return whether a round with a Redisson client may have this fault} Redisson's driver sends unanswered commands
     * again, which then count twice; so its round has no fault of the server that leaves commands unanswered.
     */
    boolean sparesRedisson() {
        return !hitsAll() || this == SCRIPTS_FLUSHED || this == KEY_DELETED;
    }
}
