package dev.holdfast.campaign.history;

/**
 * The identifier of one operation: a call to a lock, with its outcome.
 *
 * @param process the calling process, as in {@link Event.Started}
 * @param number unique within the process
 */
public record Op(String process, long number) {
    /** {@return the operation with this identifier, as written by {@link #toString()}} */
    public static Op parse(String name) {
        int hash = name.lastIndexOf('#');
        return new Op(name.substring(0, hash), Long.parseLong(name.substring(hash + 1)));
    }

    @Override
    public String toString() {
        return process + "#" + number;
    }
}
