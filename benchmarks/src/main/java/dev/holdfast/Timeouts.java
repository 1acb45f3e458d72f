package dev.holdfast;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the internal state of a client, from within its package. */
public final class Timeouts {
    private static final Pattern RESIDUE = Pattern.compile("timeouts=(\\d+)");

    private Timeouts() {}

    /**
     * {@return how many deadlines the client has scheduled, without those of its link} They share one entry of its
     * timer.
     */
    public static long scheduled(Holdfast client) {
        Matcher residue = RESIDUE.matcher(client.residue());
        return residue.find() ? Long.parseLong(residue.group(1)) : 0;
    }
}
