package dev.holdfast.campaign.nemesis;

/** The process of a client, as far as something can be done to it. */
public interface Victim {
    /** Stops it; on return it no longer runs. */
    void freeze();

    /** Lets it go on where it was; one that runs does not notice. */
    void thaw();

    /** Ends it at once: none of its code runs any more. */
    void kill();

    /** Puts another in its place. */
    void replace();
}
