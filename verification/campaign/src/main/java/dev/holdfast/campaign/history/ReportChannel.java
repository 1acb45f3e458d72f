package dev.holdfast.campaign.history;

/** The channels through which a client reports a lost hold. */
public enum ReportChannel {
    /** The client's listener, which is notified of every hold. */
    LISTENER,
    /** The future of the hold's own handle. */
    HANDLE
}
