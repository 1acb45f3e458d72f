package dev.holdfast.examples.service.demo;

import dev.holdfast.examples.service.shop.ShopApplication;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The process of an instance: starts the shop on a free port, and reports the port to its parent by one line. */
final class InstanceProcess {
    private InstanceProcess() {}

    public static void main(String[] args) {
        PrintStream parent = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err); // the real stdout is for the parent only
        parent.println(ShopApplication.start(args).getEnvironment().getRequiredProperty("local.server.port"));
    }
}
