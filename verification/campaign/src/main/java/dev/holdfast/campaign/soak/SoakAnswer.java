package dev.holdfast.campaign.soak;

import dev.holdfast.campaign.text.Lines;
import java.util.List;

/** The replies of a process of a soak, one line each. */
public sealed interface SoakAnswer {
    /** The text form of a reply. */
    Lines<SoakAnswer> LINES = Lines.of(SoakAnswer.class);

    /** The client is connected, and its actors have begun. */
    record Opened(int client) implements SoakAnswer {}

    /** The client is closed, and its actors have ended. */
    record Closed(int client) implements SoakAnswer {}

    /**
     * An actor has held something, or has used a latch. What it held was certainly valid from one moment to the other, by the clock that
     * all processes share; if the last check found it invalid, both moments are the same.
     *
     * @param name of what it held; empty for a latch
     * @param weight how much of it: 1 of a lock
     * @param capacity how much of it there is at the same time: 1 of a lock
     * @param token the fencing token, 0 if there is none
     */
    record Worked(int client, Kind kind, String name, long from, long until, int weight, int capacity, long token)
            implements SoakAnswer {
        /** {@return whether something was certainly held for a time} */
        boolean isHold() {
            return until > from;
        }
    }

    /**
     * All actors are at rest.
     *
     * @param heap the bytes that are in use after a collection
     * @param threads that are alive
     * @param descriptors that are open
     * @param failed how many turns have failed since the process began
     * @param left what of the clients is in use though nothing is held or requested
     */
    record Rested(long heap, int threads, long descriptors, long failed, List<String> left) implements SoakAnswer {}

    /** The process or an actor has failed. */
    record Failed(String reason) implements SoakAnswer {}
}
