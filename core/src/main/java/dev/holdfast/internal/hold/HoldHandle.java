package dev.holdfast.internal.hold;

/** The handle through which a user has a hold. */
public interface HoldHandle {
    /** The hold's lease is at risk: runs the user's callbacks for that. */
    void atRisk();
}
