package dev.holdfast.cli.check;

/** Which set-up an address leads to. */
enum Shape {
    ONE_SERVER,
    SENTINEL,
    CLUSTER;

    /** {@return whether a replica takes over by itself} */
    boolean failsOver() {
        return this != ONE_SERVER;
    }
}
