package dev.holdfast.testkit;

import java.io.IOException;

/** The main class of a JVM that will be killed: starts a server, prints its pid, and waits. */
final class Orphans {
    private Orphans() {}

    public static void main(String[] arguments) throws IOException {
        RedisServer server = RedisServer.builder().start();
        if (arguments.length > 0 && arguments[0].equals("paused")) {
            server.pause();
        }
        System.out.println(server.pid());
        int end = System.in.read();
        System.exit(end);
    }
}
