package dev.holdfast.cli;

/** The exit codes of the program. Those of {@code sysexits.h} are used where they fit, and those of shells. */
enum ExitCode {
    /** The command line was executed; {@code run} exits with the code of its command. */
    OK(0, "success; run exits with the code of its command"),
    /** No owner holds the lock, or has permits. */
    FREE(1, "who, release: no owner holds the lock, or has permits"),
    /** The deployment could be better. */
    WARNINGS(10, "check: there are warnings"),
    /** Locks do not work with the deployment, or are lost. */
    ERRORS(11, "check: there are errors"),
    /** The command line or the address of Redis is wrong. */
    USAGE(64, "the command line is wrong, or the address of Redis is missing or malformed"),
    /** Redis failed, did not answer, or refused what it was asked for. */
    UNAVAILABLE(69, "Redis failed, did not answer, or refused a command"),
    /** The lock was lost while the command was running, or the latch while it was waited for. */
    LOST(
            70,
            "run: the lock was lost while the command was running, or the command was ended lest it be; latch wait: the"
                    + " count was deleted, or its lifetime is over"),
    /** Another owner holds the lock, too few permits are free, or the latch is not open. */
    BUSY(
            75,
            "run, wait: another owner held the lock, or too few permits were free, until the end of the wait; latch wait: the"
                    + " count was not zero then"),
    /** A defect of the program, or of the Java that it runs on. */
    DEFECT(125, "holdfast itself failed, and has printed a stack trace"),
    /** The command is there, but cannot be started. */
    CANNOT_START(126, "run: the command cannot be started"),
    /** There is no such command. */
    NOT_FOUND(127, "run: there is no such command"),
    /** A signal ended the program; the number of the signal is added. */
    SIGNAL(128, "plus n: signal n ended the command of run, or the wait");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    int code() {
        return code;
    }

    /** {@return the meaning, for the help} */
    String meaning() {
        return meaning;
    }
}
