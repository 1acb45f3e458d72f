package dev.holdfast;

import static dev.holdfast.RawScripts.LEASE;

/**
 * One command of an owner, as it goes over the wire.
 *
 * @param tenure the hold it is about
 * @param holds the count after it; of no meaning for a renewal
 */
record ScriptCommand(Verb verb, String owner, long tenure, int holds) {

    enum Verb {
        ACQUIRE,
        RELEASE,
        RENEW
    }

    /** {@return whether it takes a lock that nobody holds} */
    boolean isFirstAcquire() {
        return verb == Verb.ACQUIRE && holds == 1;
    }

    boolean isAbout(LockState hold) {
        return owner.equals(hold.owner()) && tenure == hold.tenure();
    }

    Object[] arguments() {
        return switch (verb) {
            case ACQUIRE -> new Object[] {owner, tenure, holds, LEASE.toMillis()};
            case RELEASE -> new Object[] {owner, tenure, holds, RawScripts.CHANNEL, "PUBLISH"};
            case RENEW -> new Object[] {owner, tenure, LEASE.toMillis()};
        };
    }

    @Override
    public String toString() {
        return verb + "(" + owner + ", tenure " + tenure + ", to " + holds + ")";
    }
}
