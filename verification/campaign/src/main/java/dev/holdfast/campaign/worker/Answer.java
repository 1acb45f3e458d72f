package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.text.Lines;

/** What a worker's process says, one line each. */
public sealed interface Answer {
    /** How an answer is written and read. */
    Lines<Answer> LINES = Lines.of(Answer.class);

    /** The process is there, and takes orders. */
    record Ready() implements Answer {}

    /** The client is connected, and the actors have begun. */
    record Begun() implements Answer {}

    /** All actors have ended their last turn. */
    record Stopped() implements Answer {}

    /** The client is closed. */
    record Closed() implements Answer {}

    /** Something happened that must not. */
    record Failed(String reason) implements Answer {}
}
