package dev.holdfast.cli.check;

import java.time.Duration;

/**
 * The clock of a server.
 *
 * @param ahead how much it is ahead of the client's, as half a round trip after the question was sent
 * @param roundTrip of that question: the figure may be wrong by half of it
 */
record ClockReading(Duration ahead, Duration roundTrip) {}
