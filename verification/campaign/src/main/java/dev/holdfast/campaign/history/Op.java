package dev.holdfast.campaign.history;

/**
 * The name of one operation: a call to a lock and what came of it.
 *
 * @param process that called, as in {@link Event.Started}
 * @param number within the process, each used once
 */
public record Op(String process, long number) {
    /** {@return the operation of this name, as {@link #toString()} gives it} */
    public static Op parse(String name) {
        int hash = name.lastIndexOf('#');
        return new Op(name.substring(0, hash), Long.parseLong(name.substring(hash + 1)));
    }

    @Override
    public String toString() {
        return process + "#" + number;
    }
}
