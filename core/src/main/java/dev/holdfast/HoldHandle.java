package dev.holdfast;

/** The handle through which a user has a hold. */
interface HoldHandle {
    /** The hold's lease is at risk: runs the user's callbacks for that. */
    void atRisk();
}
