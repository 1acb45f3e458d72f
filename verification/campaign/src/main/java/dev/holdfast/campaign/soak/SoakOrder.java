package dev.holdfast.campaign.soak;

import dev.holdfast.campaign.text.Lines;

/** The orders to a process of a soak, one line each. */
public sealed interface SoakOrder {
    /** The text form of an order. */
    Lines<SoakOrder> LINES = Lines.of(SoakOrder.class);

    /**
     * Open a client, and let its actors begin.
     *
     * @param client the index of the client, over all processes
     * @param watchdogMillis its watchdog timeout
     * @param pauseMillis the longest pause between two turns of an actor
     */
    record Open(int client, String redisUri, long watchdogMillis, long pauseMillis) implements SoakOrder {}

    /** Close a client while its actors use it. */
    record Close(int client) implements SoakOrder {}

    /** Let all actors complete their turns and begin no more, and measure what the process needs then. */
    record Rest() implements SoakOrder {}

    /** Let the actors continue. */
    record Resume() implements SoakOrder {}
}
