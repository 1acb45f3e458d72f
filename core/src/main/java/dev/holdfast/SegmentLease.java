package dev.holdfast;

/**
 * A held segment of a {@link SegmentedLock}: a {@link Lease} with the number of the segment. Its
 * {@link #name()} is the name of the segment's lock, such as {@code stock:7:12}.
 *
 * <pre>{@code
 * try (SegmentLease part = stock.acquire()) {
 *     sellFrom(part.segment());
 * }
 * }</pre>
 */
public interface SegmentLease extends Lease {
    /** {@return the number of the segment, from 0} Local, no I/O; stays the same when the lease has ended. */
    int segment();
}
