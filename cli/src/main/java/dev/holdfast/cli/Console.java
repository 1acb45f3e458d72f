package dev.holdfast.cli;

import java.io.PrintStream;
import java.util.Map;

/**
 * What the program was started with, but for its arguments.
 *
 * @param environment the environment variables
 * @param out for what was asked for
 * @param err for messages
 */
record Console(Map<String, String> environment, PrintStream out, PrintStream err) {
    Console {
        environment = Map.copyOf(environment);
    }

    void print(String line) {
        out.println(line);
        out.flush();
    }

    /** Prints a message for the user. */
    void say(String message) {
        err.println("holdfast: " + message);
        err.flush();
    }
}
