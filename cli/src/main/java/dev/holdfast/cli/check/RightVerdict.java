package dev.holdfast.cli.check;

/** What a server said to a right. */
enum RightVerdict {
    ALLOWED,
    DENIED,
    /** The server does not know the command: it was renamed, or is not offered. */
    NO_COMMAND,
    /** It could not be asked for. */
    UNKNOWN;

    /**
     * {@return what the error of a command says about the right to it; the empty text if it had none} Redis checks rights before
     * anything else of a command, so any other error says that the user has them.
     */
    static RightVerdict ofCommand(String error) {
        if (error.startsWith(Link.NO_ANSWER)) {
            return UNKNOWN;
        }
        if (isUnknownCommand(error)) {
            return NO_COMMAND;
        }
        return isRefusal(error) && !isAboutName(error) ? DENIED : ALLOWED;
    }

    /** {@return what it says about the right to the key or the channel that the command names} */
    static RightVerdict ofName(String error) {
        if (ofCommand(error) != ALLOWED) {
            return UNKNOWN;
        }
        return isRefusal(error) ? DENIED : ALLOWED;
    }

    private static boolean isUnknownCommand(String error) {
        return error.matches("(?i).*unknown (sub|redis )?command.*");
    }

    /** In a script, the words differ from version to version. */
    private static boolean isRefusal(String error) {
        return error.startsWith("NOPERM")
                || error.contains("The user executing the script")
                || error.contains("ACL failure in script");
    }

    private static boolean isAboutName(String error) {
        return error.contains("access") || error.contains("publish to the channel");
    }
}
