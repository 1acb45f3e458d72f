package dev.holdfast.script.line;

/** The channels that commands name, which differ in their listeners. */
enum LineChannel {
    /** Only clients that join the line listen: the first two, each to its own channel. */
    QUIET,
    /** As on the quiet one, and two more listen: one that joins the line, and one that does not. */
    CROWDED,
    /** The third client listened to its own, when it joined the line; it does not any more when the lock is granted. */
    FORMER;

    /** The two clients that listen throughout, and one that does not. */
    static final String FIRST = "a";

    static final String SECOND = "b";
    static final String DEAF = "c";

    String channel() {
        return "line, " + name();
    }

    String of(String client) {
        return channel() + ":" + client;
    }

    /** {@return the channel of all clients that join the line} */
    String line() {
        return channel() + ":line";
    }

    boolean isHeardBy(String client) {
        return this == FORMER == client.equals(DEAF);
    }

    /** {@return how many listen to releases and join no line} */
    int others() {
        return this == CROWDED ? 1 : 0;
    }

    /** {@return how many connections listen to what all clients in line are told} */
    int joiners() {
        return this == CROWDED ? 2 : 1;
    }

    /** {@return how many connections listen to releases} */
    int listeners() {
        return joiners() + others();
    }
}
