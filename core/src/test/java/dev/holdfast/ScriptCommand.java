package dev.holdfast;

import static dev.holdfast.RawScripts.LEASE;

/**
 * One command of an owner, as it goes over the wire.
 *
 * @param tenure the hold it is about
 * @param holds the count after it; of no meaning for a renewal
 * @param from of a handoff: the hold that is passed on to that owner; nobody's for the others
 */
record ScriptCommand(Verb verb, String owner, long tenure, int holds, LockState from) {

    ScriptCommand(Verb verb, String owner, long tenure, int holds) {
        this(verb, owner, tenure, holds, LockState.FREE);
    }

    static ScriptCommand handoff(LockState from, String owner, long tenure) {
        return new ScriptCommand(Verb.HANDOFF, owner, tenure, 1, from);
    }

    enum Verb {
        ACQUIRE,
        RELEASE,
        RENEW,
        HANDOFF
    }

    /** {@return whether it takes a lock that nobody holds} */
    boolean isFirstAcquire() {
        return verb == Verb.ACQUIRE && holds == 1;
    }

    /** {@return whether it may give the lock to its owner} */
    boolean mayGrant() {
        return verb == Verb.ACQUIRE || verb == Verb.HANDOFF;
    }

    boolean isAbout(LockState hold) {
        return owner.equals(hold.owner()) && tenure == hold.tenure();
    }

    Object[] arguments() {
        return switch (verb) {
            case ACQUIRE -> new Object[] {owner, tenure, holds, LEASE.toMillis()};
            case RELEASE -> new Object[] {owner, tenure, holds, RawScripts.CHANNEL, "PUBLISH"};
            case RENEW -> new Object[] {owner, tenure, LEASE.toMillis()};
            case HANDOFF -> new Object[] {owner, tenure, LEASE.toMillis(), from.owner(), from.tenure()};
        };
    }

    @Override
    public String toString() {
        String of = from.equals(LockState.FREE) ? "" : ", from " + from.owner() + ", tenure " + from.tenure();
        return verb + "(" + owner + ", tenure " + tenure + ", to " + holds + of + ")";
    }
}
