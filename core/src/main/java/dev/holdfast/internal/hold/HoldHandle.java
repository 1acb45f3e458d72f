package dev.holdfast.internal.hold;

import dev.holdfast.watchdog.KeptLease;

/** The handle through which a user has a hold. */
public interface HoldHandle {
    /** This lease of its hold, or of one of its holds, is at risk: runs the user's callbacks for that. */
    void atRisk(KeptLease lease);
}
