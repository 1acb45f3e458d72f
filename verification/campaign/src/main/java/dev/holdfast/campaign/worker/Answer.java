package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.text.Lines;

/** The replies of a worker process, one line each. */
public sealed interface Answer {
    /** The text form of a reply. */
    Lines<Answer> LINES = Lines.of(Answer.class);

    /** The process has started, and accepts orders. */
    record Ready() implements Answer {}

    /** The client is connected, and the actors have started. */
    record Begun() implements Answer {}

    /** All actors have completed their last turn. */
    record Stopped() implements Answer {}

    /** The client is closed. */
    record Closed() implements Answer {}

    /** The process or an actor has failed. */
    record Failed(String reason) implements Answer {}
}
