package dev.holdfast.campaign.nemesis;

/** The process of a client, as the target of faults. */
public interface Victim {
    /** Stops the process; when this returns, it no longer runs. */
    void freeze();

    /** Resumes the process; no effect on one that runs. */
    void thaw();

    /** Kills the process: none of its code runs any more. */
    void kill();

    /** Begins to close its client, while that is in use. */
    void close();

    /** Waits until the client is closed, and opens another one in the same process. */
    void reopen();

    /** Starts another process in its place. */
    void replace();
}
