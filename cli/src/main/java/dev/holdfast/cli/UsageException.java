package dev.holdfast.cli;

/** The command line, or the configuration it relies on, is wrong; the message says what, and what would be right. */
final class UsageException extends RuntimeException {
    UsageException(String message) {
        super(message);
    }
}
