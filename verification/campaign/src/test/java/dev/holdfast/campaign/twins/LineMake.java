package dev.holdfast.campaign.twins;

/** The variants of a twin whose release grants the lock to the owner in line: one without a defect, one for each. */
enum LineMake {
    /** Without a defect. */
    RIGHT,
    /** The message of a grant counts for any tenure of its owner. */
    GRANT_WITHOUT_TENURE,
    /** A hold that is granted has what is left of the lease before it. */
    GRANT_WITHOUT_LEASE,
    /** An owner in line waits for its message alone. */
    NO_TRY_AFTER_LOST_GRANT,
    /** An owner joins the line by a second command, after it has found the lock busy. */
    JOINS_AFTER_LOOKING;

    private final String acquire = Make.read("acquire-in-line");
    private final String join = Make.read("join-line");
    private final String release = Make.read("release-granting");
    private final String releaseWithoutLease = Make.read("release-granting-without-lease");

    String acquire() {
        return acquire;
    }

    String join() {
        return join;
    }

    String release() {
        return this == GRANT_WITHOUT_LEASE ? releaseWithoutLease : release;
    }

    boolean joinsAtOnce() {
        return this != JOINS_AFTER_LOOKING;
    }

    boolean triesAgain() {
        return this != NO_TRY_AFTER_LOST_GRANT;
    }

    /** {@return whether this message grants the lock to this tenure} */
    boolean grants(String message, String owner, long tenure) {
        return this == GRANT_WITHOUT_TENURE ? message.startsWith(owner + " ") : message.equals(owner + " " + tenure);
    }
}
