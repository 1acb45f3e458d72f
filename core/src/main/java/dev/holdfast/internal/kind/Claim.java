package dev.holdfast.internal.kind;

/** An owner's tenure of a lock, as a command names it. */
public interface Claim {
    LockKey lock();

    /** {@return the owner as encoded in Redis; not to be modified} */
    byte[] ownerField();

    long tenure();
}
