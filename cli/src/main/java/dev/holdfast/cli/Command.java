package dev.holdfast.cli;

import dev.holdfast.cli.top.NodeBudget;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The commands, each with its operands, its options and what it does. */
@SuppressWarnings("ImmutableEnumChecker") // the lists are unmodifiable
enum Command {
    RUN(
            "run",
            List.of("NAME", "command.."),
            "acquire a lock, or permits, run a command, release them",
            "The command inherits the standard streams, and the environment but for HOLDFAST_REDIS_URI. It finds the name of"
                    + " the lock in HOLDFAST_LOCK and its owner in HOLDFAST_OWNER. It begins after --, or with the first"
                    + " word after NAME that is no option. When the lock is at risk, because Redis does not confirm a renewal or an explicit lease is nearly over, the"
                    + " command and its descendants receive SIGTERM; those that are left shortly before the lease ends"
                    + " receive SIGKILL. SIGTERM, SIGHUP, SIGINT and SIGQUIT are passed on to the command; a second one of"
                    + " them ends the command and its descendants by SIGKILL, as does the first one if the lock is at risk."
                    + " After a signal, the lock is released when all of these have ended. With --permits, the same holds for"
                    + " the permits.",
            List.of(
                    Option.WAIT,
                    Option.LEASE,
                    Option.WATCHDOG,
                    Option.TOKEN,
                    Option.SHARED,
                    Option.WRITE,
                    Option.PERMITS,
                    Option.TAKE,
                    Option.SHELL,
                    Option.BUSY_CODE,
                    Option.LOST_CODE,
                    Option.IF_BUSY_OK,
                    Option.PASS_ADDRESS,
                    Option.LABEL)),
    WHO(
            "who",
            List.of("NAME"),
            "show the owner of a lock, and the owners of permits",
            "Prints one line each for the lock, its owner, the owner's label, since when it holds the lock, its hold"
                    + " count, the rest of the lease, and the number of clients in line. Of a read-write lock, also whether"
                    + " it is held to read or to write, and of each client that reads the lines about its hold. Of a"
                    + " semaphore of that name, the number of permits that was named last, how many are held, the lines"
                    + " about each owner, with its permits and its worker number, and each request in line. Of each"
                    + " condition of the lock, its name, or - if it has none, and the owners that wait for it. Prints nothing"
                    + " else, and exits with 1, if the lock is free and no permits are held.",
            List.of()),
    LS(
            "ls",
            List.of("[PATTERN]"),
            "list the locks and the permits that are held",
            "Prints the names of the locks that match the pattern, which is one of the command KEYS of Redis, or of all"
                    + " locks; then those of semaphores, with the permits that are held and the clients in line. In a"
                    + " cluster, all masters are asked. Reads all keys by SCAN, for which the Redis user needs the rights ~*"
                    + " +info +scan +hscan, and in a cluster +cluster|nodes. Semaphores are read with the rights of the"
                    + " library; one that cannot be read is left out, with a message.",
            List.of(Option.LONG)),
    TOP(
            "top",
            List.of("[NAME..]"),
            "show what is held and waited for, and force it open",
            "Shows the locks, semaphores, latches and conditions that are in use, whose names are given, or match a pattern as"
                    + " for ls, and reads them again each second: what holds them, with its label, since when, levels, readers or"
                    + " permits, clients in line, the rest of the lease, and the token. Without a terminal, prints it once. Keys:"
                    + " up and down select, enter looks at one, with all its holders and the line, o changes the order, / filters,"
                    + " f forces it open after a question, q quits. In each second, a node receives at most "
                    + NodeBudget.COMMANDS_PER_SECOND + " commands, and none after it took "
                    + NodeBudget.TIME_PER_SECOND.toMillis()
                    + " ms to answer them. Needs the rights of ls; without +scan, or if"
                    + " all words are names, shows the names that are given, with the rights of the library.",
            List.of(Option.ONCE, Option.JSON, Option.ORDER)),
    RELEASE(
            "release",
            List.of("NAME"),
            "force a lock open, or release the permits of an owner",
            "Whatever owner holds it, or has them: it learns of it with its next renewal or release; until then, it runs"
                    + " beside the next owner. Exits with 1 if the lock is free, or the owner has no permits.",
            List.of(Option.FORCE, Option.OWNER)),
    AWAIT(
            "wait",
            List.of("NAME"),
            "wait until a lock is free",
            "Waits in line for the lock, and releases it at once: the owner that held it when the command began has"
                    + " released it, and so have those that were in line before.",
            List.of(Option.WAIT, Option.SHARED, Option.WRITE)),
    LATCH(
            "latch",
            List.of("set|down|wait", "NAME", "[COUNT]"),
            "set the count of a latch, count it down, or wait until it is zero",
            "A count-down latch needs no owner: each of several jobs sets the count, which has an effect if there is none,"
                    + " and counts down by one, or by COUNT, when its part is done; a job that waits goes on when all are"
                    + " done. A latch without a count is open, so it is set before it is waited for.",
            List.of(Option.WAIT, Option.LIFETIME)),
    CHECK(
            "check",
            List.of("[ADDRESS]"),
            "ask a Redis whether it is as locks need it",
            "Asks each server of the address, a cluster or sentinels for its version, the rights of the user, subscriptions,"
                    + " eviction and memory, persistence, replicas, failover times, clocks, round trips, names and timeouts."
                    + " Prints one line each: ok, note, warning or error, what was found and where, why it matters, and what to"
                    + " set. What a server refuses to answer is a note, and unknown. It creates no key. The address may be an operand if it"
                    + " has no password.",
            List.of(Option.KINDS, Option.PREFIX, Option.JSON)),
    HELP("help", List.of("[COMMAND]"), "print the help", "", List.of());

    /** What every command takes. */
    static final List<Option> COMMON = List.of(Option.URI_FILE, Option.HELP, Option.VERSION);

    private final String word;
    private final List<String> operands;
    private final String summary;
    private final String description;
    private final List<Option> options;

    Command(String word, List<String> operands, String summary, String description, List<Option> options) {
        this.word = word;
        this.operands = operands;
        this.summary = summary;
        this.description = description;
        this.options = options;
    }

    /** {@return the command that is called so} */
    static Optional<Command> named(String word) {
        return Stream.of(values()).filter(command -> command.word.equals(word)).findFirst();
    }

    String word() {
        return word;
    }

    /** {@return the operands: one in brackets may be left out} */
    List<String> operands() {
        return operands;
    }

    /** {@return whether the last operand is a command line of its own, which is not searched for options} */
    boolean takesCommandLine() {
        return operands.get(operands.size() - 1).endsWith("..");
    }

    int leastOperands() {
        return (int)
                operands.stream().filter(operand -> !operand.startsWith("[")).count();
    }

    int mostOperands() {
        boolean isRepeated = operands.get(operands.size() - 1).endsWith("..]");
        return takesCommandLine() || isRepeated ? Integer.MAX_VALUE : operands.size();
    }

    String summary() {
        return summary;
    }

    String description() {
        return description;
    }

    /** {@return its own options, without the common ones} */
    List<Option> options() {
        return options;
    }

    /** {@return whether it may be given this option} */
    boolean takes(Option option) {
        return options.contains(option) || COMMON.contains(option);
    }

    /** {@return the command line in short, as in {@code holdfast who NAME}} */
    String synopsis() {
        StringBuilder line = new StringBuilder("holdfast ").append(word);
        for (Option option : options) {
            line.append(option == Option.FORCE ? " " + option.longName() : " [" + option.usage() + "]");
        }
        for (String operand : operands) {
            line.append(operand.endsWith("..") ? " -- " : " ").append(operand);
        }
        return line.toString();
    }
}
