package dev.holdfast.cli;

import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.Slf4JLoggerFactory;
import java.util.List;

/** The program {@code holdfast}. */
public final class Main {
    /** Set by the start script while it makes a cache, so that what {@code top} needs is in it, too: a cache without it is one as well. */
    private static final String TRAINING = "holdfast.training";

    private Main() {}

    /** Executes a command line, and ends the process with its exit code. */
    public static void main(String[] arguments) {
        int exitCode;
        try {
            exitCode = execute(List.of(arguments));
            if (exitCode == ExitCode.OK.code() && Boolean.getBoolean(TRAINING)) {
                execute(List.of(Command.TOP.word(), "holdfast:cache"));
            }
        } catch (Throwable defect) { // Java would exit with 1, which means that a lock is free
            defect.printStackTrace();
            exitCode = ExitCode.DEFECT.code();
        }
        // No thread is waited for: the command has ended, and the lock is released.
        Runtime.getRuntime().halt(exitCode);
    }

    private static int execute(List<String> arguments) throws InterruptedException {
        // Otherwise, the driver would log to the standard error, by java.util.logging: this program has no log.
        InternalLoggerFactory.setDefaultFactory(Slf4JLoggerFactory.INSTANCE);
        Console console = new Console(System.getenv(), System.out, System.err);
        return new Cli(console, Signals.ofProcess(console)).execute(arguments);
    }
}
