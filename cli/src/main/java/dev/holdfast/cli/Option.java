package dev.holdfast.cli;

import java.util.List;

/** The options, each with its names, the name of its value if it takes one, and what it means. */
@SuppressWarnings("ImmutableEnumChecker") // the list is unmodifiable
enum Option {
    WAIT(List.of("--wait"), "duration", "how long to wait; 0 tries once. Default: for ever"),
    LEASE(
            List.of("--lease"),
            "duration",
            "an explicit lease, which is not renewed: the command is ended before it runs out. At least 1 s. Default:"
                    + " the lock is held for as long as the command runs"),
    WATCHDOG(
            List.of("--watchdog"),
            "duration",
            "the lease that is renewed while the command runs; the lock of a machine that died is free after it. At"
                    + " least 1 s. Default: 30 s"),
    TOKEN(
            List.of("--token"),
            "",
            "acquire the fenced lock of this name, and pass its fencing token to the command in HOLDFAST_TOKEN"),
    SHARED(
            List.of("--shared"),
            "",
            "the read lock of the read-write lock of this name, which others that read have at the same time"),
    WRITE(List.of("--write"), "", "its write lock, which excludes those that read, too"),
    PERMITS(
            List.of("--permits"),
            "number",
            "in place of a lock, permits of the semaphore of this name, of which there are so many. The command finds its"
                    + " worker number in HOLDFAST_NUMBER"),
    TAKE(List.of("--take"), "number", "how many of the permits. Default: 1"),
    SHELL(List.of("-c", "--shell"), "", "the command is a line for /bin/sh -c"),
    BUSY_CODE(List.of("-E", "--busy-code"), "code", "the exit code if the lock stays busy. Default: 75"),
    LOST_CODE(List.of("--lost-code"), "code", "the exit code if the lock was lost. Default: 70"),
    IF_BUSY_OK(List.of("--if-busy-ok"), "", "exit with 0 if the lock stays busy, and print nothing"),
    PASS_ADDRESS(
            List.of("--pass-address"),
            "",
            "leave the address of Redis, with its password, in the environment of the command. Default:"
                    + " HOLDFAST_REDIS_URI is removed from it"),
    LABEL(
            List.of("--label"),
            "text",
            "the name by which who shows the owner of the lock. Default: the host and the process id"),
    LIFETIME(
            List.of("--lifetime"),
            "duration",
            "of latch set: after it, those that still wait fail. Default: 24 h after the last use of the latch"),
    KINDS(
            List.of("--kinds"),
            "kinds",
            "which of lock,fenced,fair,read-write,semaphore,latch,condition the application uses, divided by commas."
                    + " Default: all of them"),
    PREFIX(
            List.of("--prefix"),
            "text",
            "how the names of the locks begin, which tells which keys and channels the user needs. Default: any name"),
    LONG(
            List.of("-l", "--long"),
            "",
            "print the owner, its label, the rest of the lease, and exclusive, read or write, too; of a semaphore a line for"
                    + " each owner, with its permits and its worker number"),
    FORCE(
            List.of("--force"),
            "",
            "confirms that the lock is to be taken from its owner, which learns of it with its next renewal only"),
    OWNER(
            List.of("--owner"),
            "owner",
            "release the permits that this owner has of the semaphore NAME, in place of the lock. As who prints it"),
    ONCE(List.of("--once"), "", "print the table once, as plain text. Default if the output is no terminal"),
    JSON(
            List.of("--json"),
            "",
            "print JSON: of top one object, once, in one line; of check an array of objects: level, check, where (servers),"
                    + " figure, why, set"),
    ORDER(
            List.of("--order"),
            "order",
            "held: what has been held for longest first; line: the longest line first; or name. Default: held"),
    URI_FILE(
            List.of("--uri-file"),
            "file",
            "the file whose first line is the address of Redis. Default: that of HOLDFAST_REDIS_URI_FILE, or the"
                    + " address in HOLDFAST_REDIS_URI"),
    HELP(List.of("-h", "--help"), "", "print the help, of a command if one is named"),
    VERSION(List.of("--version"), "", "print the version");

    private final List<String> names;
    private final String value;
    private final String meaning;

    Option(List<String> names, String value, String meaning) {
        this.names = names;
        this.value = value;
        this.meaning = meaning;
    }

    /** {@return the names, the short one first} */
    List<String> names() {
        return names;
    }

    /** {@return the long name, as messages use it} */
    String longName() {
        return names.get(names.size() - 1);
    }

    boolean takesValue() {
        return !value.isEmpty();
    }

    /** {@return all names and the name of the value, as in {@code -E, --busy-code code}} */
    String synopsis() {
        return String.join(", ", names) + (takesValue() ? " " + value : "");
    }

    /** {@return the long name and the name of the value, as in {@code --busy-code code}} */
    String usage() {
        return longName() + (takesValue() ? " " + value : "");
    }

    /** {@return the meaning, for the help} */
    String meaning() {
        return meaning;
    }
}
