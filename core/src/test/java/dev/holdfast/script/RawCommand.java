package dev.holdfast.script;

import java.time.Duration;

/**
 * One command of an owner, as it is sent.
 *
 * @param tenure the hold it is about; of a handoff, a close or a settlement, the hold after it
 * @param holds the count after it; without meaning for a renewal
 * @param leaseMinutes the lease it requests; 0 for a release
 * @param from of a handoff: the hold that is handed off to that owner; of a close: the one that ends; of a settlement:
 * the one that was released elsewhere; a free lock for the others
 */
record RawCommand(Verb verb, String owner, long tenure, int holds, int leaseMinutes, LockState from) {

    RawCommand(Verb verb, String owner, long tenure, int holds, int leaseMinutes) {
        this(verb, owner, tenure, holds, leaseMinutes, LockState.FREE);
    }

    static RawCommand handoff(LockState from, String owner, long tenure, int leaseMinutes) {
        return new RawCommand(Verb.HANDOFF, owner, tenure, 1, leaseMinutes, from);
    }

    static RawCommand closeAfter(LockState from, long closed, int leaseMinutes) {
        return new RawCommand(Verb.CLOSE_AFTER, from.owner(), closed, 1, leaseMinutes, from);
    }

    static RawCommand settle(LockState released, String owner, long tenure, int leaseMinutes) {
        return new RawCommand(Verb.SETTLE, owner, tenure, 1, leaseMinutes, released);
    }

    enum Verb {
        ACQUIRE,
        RELEASE,
        RENEW,
        HANDOFF,
        CLOSE_AFTER,
        SETTLE
    }

    /** {@return whether it acquires a free lock} */
    boolean isFirstAcquire() {
        return verb == Verb.ACQUIRE && holds == 1;
    }

    /** {@return whether it may grant the lock to its owner} */
    boolean mayGrant() {
        return verb == Verb.ACQUIRE || verb == Verb.HANDOFF;
    }

    boolean isAbout(LockState hold) {
        return owner.equals(hold.owner()) && tenure == hold.tenure();
    }

    Object[] arguments() {
        long lease = Duration.ofMinutes(leaseMinutes).toMillis();
        return switch (verb) {
            case ACQUIRE -> new Object[] {owner, tenure, holds, lease};
            case RELEASE -> new Object[] {owner, tenure, holds, RawScripts.CHANNEL, "PUBLISH"};
            case RENEW -> new Object[] {owner, tenure, lease};
            case HANDOFF -> new Object[] {owner, tenure, lease, from.owner(), from.tenure()};
            case SETTLE -> new Object[] {owner, tenure, holds, lease, "", from.owner(), from.tenure()};
            case CLOSE_AFTER -> new Object[] {owner, from.tenure(), tenure, lease, RawScripts.CHANNEL, "PUBLISH", "0"};
        };
    }

    @Override
    public String toString() {
        String of = from.equals(LockState.FREE) ? "" : ", from " + from.owner() + ", tenure " + from.tenure();
        String lease = leaseMinutes == 0 ? "" : ", " + leaseMinutes + " min";
        return verb + "(" + owner + ", tenure " + tenure + ", to " + holds + lease + of + ")";
    }
}
