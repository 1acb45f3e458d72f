package dev.holdfast.testkit.topology;

/**
 * The message of a sentinel that a master has another address.
 *
 * @param name the name of the master
 * @param oldPort the port of the former master
 * @param newPort the port of the new one
 */
public record SwitchMaster(String name, int oldPort, int newPort) {
    /** Reads {@code name old-host old-port new-host new-port}. */
    static SwitchMaster parse(String message) {
        String[] fields = message.split(" ", -1);
        return new SwitchMaster(fields[0], Integer.parseInt(fields[2]), Integer.parseInt(fields[4]));
    }
}
