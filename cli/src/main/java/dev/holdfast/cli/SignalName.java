package dev.holdfast.cli;

/** The signals that end a command, with their numbers. */
enum SignalName {
    HUP(1),
    INT(2),
    TERM(15);

    private final int number;

    SignalName(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}
