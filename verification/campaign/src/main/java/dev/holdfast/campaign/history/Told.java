package dev.holdfast.campaign.history;

/** In what way a client tells a holder that its lease is lost. */
public enum Told {
    /** The client's listener, which hears of each hold. */
    LISTENER,
    /** The signal of the hold's own handle. */
    HANDLE
}
