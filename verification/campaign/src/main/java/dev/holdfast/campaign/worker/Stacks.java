package dev.holdfast.campaign.worker;

/** Prints the stacks of all threads. */
public final class Stacks {
    private Stacks() {}

    public static void print() {
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            StringBuilder text = new StringBuilder(thread + " " + thread.getState());
            for (StackTraceElement frame : frames) {
                text.append("\n    at ").append(frame);
            }
            System.err.println(text);
        });
    }
}
