package dev.holdfast.cli;

/** The signals that end a command, with their numbers. */
enum SignalName {
    HUP(1, false),
    INT(2, true),
    QUIT(3, true),
    TERM(15, false);

    private final int number;
    private final boolean typed;

    SignalName(int number, boolean typed) {
        this.number = number;
        this.typed = typed;
    }

    int number() {
        return number;
    }

    /** {@return whether it is sent by a key of the terminal, to all processes in the foreground} */
    boolean isTyped() {
        return typed;
    }
}
