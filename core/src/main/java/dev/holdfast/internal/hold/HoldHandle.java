package dev.holdfast.internal.hold;

/** The handle through which a user has a hold. */
public interface HoldHandle {
    /** The lease of this hold is at risk: runs the user's callbacks for that. */
    void atRisk(Hold hold);
}
