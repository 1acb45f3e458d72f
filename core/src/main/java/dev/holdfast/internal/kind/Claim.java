package dev.holdfast.internal.kind;

import dev.holdfast.internal.redis.RespWriter;

/** What a command says about one owner's tenure of one lock: whose it is, how much of it, and for how long. */
public final class Claim {
    /**
     * The shortest lease that a command requests, in milliseconds. Before 7.2, Redis lets time pass within a command: an expiry of
     * one may delete the key, and the field that a script writes next would make it again, without an expiry.
     */
    public static final long SHORTEST_LEASE_MILLIS = 2;

    private final LockKey lock;
    private final byte[] ownerField;
    private final long tenure;
    private final int count;
    private final long leaseMillis;

    /**
     * Creates a claim. Commands that change neither the count nor the lease ignore these two.
     *
     * @param ownerField the owner as encoded in Redis; not to be modified
     * @param count what the owner is to have after the command: the number of levels, or of what else the kind counts. The owner
     *     of an amount does not re-enter: a hold knows its levels alone
     * @param leaseMillis the lease to ask for, of which at least the shortest one is asked for; 0 for none
     */
    public Claim(LockKey lock, byte[] ownerField, long tenure, int count, long leaseMillis) {
        this.lock = lock;
        this.ownerField = ownerField;
        this.tenure = tenure;
        this.count = count;
        this.leaseMillis = leaseMillis == 0 ? 0 : Math.max(SHORTEST_LEASE_MILLIS, leaseMillis);
    }

    public LockKey lock() {
        return lock;
    }

    public byte[] ownerField() {
        return ownerField;
    }

    public long tenure() {
        return tenure;
    }

    public int count() {
        return count;
    }

    public long leaseMillis() {
        return leaseMillis;
    }

    /** Writes the owner and the tenure. */
    public RespWriter words(RespWriter frame) {
        return frame.word(ownerField).number(tenure);
    }

    @Override
    public String toString() {
        return "tenure " + tenure + " of " + lock.subject();
    }
}
