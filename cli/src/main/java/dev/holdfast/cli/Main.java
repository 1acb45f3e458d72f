package dev.holdfast.cli;

import io.netty.util.internal.logging.InternalLoggerFactory;
import io.netty.util.internal.logging.Slf4JLoggerFactory;
import java.util.List;

/** The program {@code holdfast}. */
public final class Main {
    private Main() {}

    /** Executes a command line, and ends the process with its exit code. */
    public static void main(String[] arguments) {
        int exitCode;
        try {
            exitCode = execute(arguments);
        } catch (Throwable defect) { // Java would exit with 1, which means that a lock is free
            defect.printStackTrace();
            exitCode = ExitCode.DEFECT.code();
        }
        // No thread is waited for: the command has ended, and the lock is released.
        Runtime.getRuntime().halt(exitCode);
    }

    private static int execute(String[] arguments) throws InterruptedException {
        // Otherwise, the driver would log to the standard error, by java.util.logging: this program has no log.
        InternalLoggerFactory.setDefaultFactory(Slf4JLoggerFactory.INSTANCE);
        Console console = new Console(System.getenv(), System.out, System.err);
        return new Cli(console, Signals.ofProcess(console)).execute(List.of(arguments));
    }
}
