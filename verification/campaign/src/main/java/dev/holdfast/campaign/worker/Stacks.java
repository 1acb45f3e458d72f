package dev.holdfast.campaign.worker;

/** Prints the stacks of all threads. */
final class Stacks {
    private Stacks() {}

    static void print() {
        Thread.getAllStackTraces().forEach((thread, frames) -> {
            StringBuilder text = new StringBuilder(thread + " " + thread.getState());
            for (StackTraceElement frame : frames) {
                text.append("\n    at ").append(frame);
            }
            System.err.println(text);
        });
    }
}
