package dev.holdfast.cli.check;

/** A server that did not answer. */
record Unreached(String address, Part part, String reason) {
    /** What it is in the deployment. */
    enum Part {
        MASTER,
        REPLICA,
        SENTINEL,
        /** A server that the address names, and no other one. */
        SEED
    }

    boolean isSentinel() {
        return part == Part.SENTINEL;
    }
}
