package dev.holdfast.examples.service.demo;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What has happened, by the database where it can say it.
 *
 * @param sold how many sales were recorded
 * @param soldAgain how many of these were of a piece that had been sold before
 * @param left how many pieces are left
 * @param refused how many requests the fence has refused
 * @param unavailable how many requests got no lock, or lost it
 * @param unanswered how many requests got no reply, since the instance was killed
 * @param unexpected how many requests failed otherwise
 * @param instances each process of the shop, in order of their names
 * @param killed for how long nothing was sold when an instance was killed
 * @param stopped for how long nothing was sold when another one was stopped
 * @param took the time from the first request to the last reply
 */
record Outcome(
        Plan plan,
        int sold,
        int soldAgain,
        int left,
        long refused,
        long unavailable,
        long unanswered,
        long unexpected,
        List<InstanceOutcome> instances,
        Optional<Duration> killed,
        Optional<Duration> stopped,
        Duration took) {

    /**
     * One process.
     *
     * @param sold how many sales of it were recorded
     * @param meters what it has counted itself; empty if it was killed
     */
    record InstanceOutcome(String name, int sold, Optional<Meters> meters, String remark) {}

    /**
     * Meters of Holdfast.
     *
     * @param acquired how often it acquired the lock
     * @param lost how often it lost it
     */
    record Meters(long acquired, long lost) {}
}
