package dev.holdfast.cli;

import dev.holdfast.LatchGoneException;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import io.lettuce.core.RedisException;
import java.util.concurrent.CompletionException;

/** What an exception means to a user. */
final class Failures {
    private Failures() {}

    /**
     * {@return the exit code}
     *
     * @throws RuntimeException the failure itself, if it is none that a user can cause
     */
    static ExitCode exitCode(RuntimeException failure) {
        RuntimeException cause = cause(failure);
        if (cause instanceof UsageException || cause instanceof IllegalArgumentException) {
            return ExitCode.USAGE;
        }
        if (cause instanceof LeaseLostException || cause instanceof LatchGoneException) {
            return ExitCode.LOST;
        }
        if (cause instanceof LockException || cause instanceof RedisException) {
            return ExitCode.UNAVAILABLE;
        }
        throw cause;
    }

    static String message(RuntimeException failure) {
        String message = cause(failure).getMessage();
        return message == null ? failure.toString() : message;
    }

    private static RuntimeException cause(RuntimeException failure) {
        return failure instanceof CompletionException && failure.getCause() instanceof RuntimeException cause
                ? cause
                : failure;
    }
}
