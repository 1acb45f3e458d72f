package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.exploreClosely;
import static dev.holdfast.interleavings.Orders.together;

import dev.holdfast.interleavings.orders.ModelClient.Owner;
import org.junit.jupiter.api.Test;

/**
 * A reader whose client has a writer that waits without a place in line, in any order with what ends that: its request follows
 * although the clock stands still, and both are served.
 */
class ReadBehindWriterOrdersTest {

    /** {@return a writer that has found the lock busy, and whose channels are not confirmed yet} */
    private static Owner withoutPlace(ReadWriteRig rig) {
        Owner writer = rig.writer();
        writer.acquire();
        while (rig.client.server.hasWork()) {
            rig.client.server.turn();
        }
        require(!rig.redis.hasWriterInLine(), "the writer has no place yet");
        return writer;
    }

    /** The writer gets its place: the reader is behind it, and both are served. */
    @Test
    void place_againstReader() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            rig.redis.readForOther();
            Owner writer = withoutPlace(rig);
            Owner reader = rig.reader();
            together(reader::acquire, rig.client::serveAndReceive);
            rig.client.quiet();
            require(rig.redis.hasWriterInLine(), "the writer is in line");
            require(!reader.holds() && rig.redis.hasReaderInLine(), "the reader is behind it");
            rig.redis.releaseOfOther();
            requireServed(rig, writer, reader);
        });
    }

    /** Readers of this client have the lock: once its writer waits for them, no other one joins them. */
    @Test
    void join_againstWriter() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            Owner first = rig.reading();
            Owner next = rig.reader();
            Owner writer = rig.writer();
            writer.acquire();
            together(next::acquire, rig.client::serveAndReceive);
            rig.client.quiet();
            Owner later = rig.reader();
            later.acquire();
            rig.requireHolds(first);
            require(!writer.holds() && !later.holds(), "a reader does not pass the writer");
            first.release();
            next.releaseIfHeld();
            boolean joined = next.holds();
            rig.requireHolds(writer);
            writer.release();
            rig.requireHolds(later);
            rig.requireFinished(joined ? new Owner[] {later} : new Owner[] {later, next});
        });
    }

    /** The writer gives up before it has a place. */
    @Test
    void leave_againstReader() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            rig.redis.readForOther();
            Owner writer = withoutPlace(rig);
            Owner reader = rig.reader();
            together(reader::acquire, writer::leave);
            rig.requireHolds(reader);
            rig.redis.releaseOfOther();
            rig.requireFinished(reader, writer);
        });
    }

    /** The writer gives up while the reader waits for the place. */
    @Test
    void leave_againstPlace() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            rig.redis.readForOther();
            Owner writer = withoutPlace(rig);
            Owner reader = rig.reader();
            reader.acquire();
            together(writer::leave, rig.client::serveAndReceive);
            rig.requireHolds(reader);
            rig.redis.releaseOfOther();
            rig.requireFinished(reader, writer);
        });
    }

    /** The lock is released before the writer has a place: it has the lock, and then the reader. */
    @Test
    void grant_againstReader() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            rig.redis.readForOther();
            Owner writer = withoutPlace(rig);
            Owner reader = rig.reader();
            rig.redis.releaseOfOther();
            together(reader::acquire, rig.client::serveAndReceive);
            requireServed(rig, writer, reader);
        });
    }

    /** The lock is released while the writer asks for a place, behind which the reader waits. */
    @Test
    void release_againstPlace() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            rig.redis.readForOther();
            Owner writer = withoutPlace(rig);
            Owner reader = rig.reader();
            reader.acquire();
            together(rig.redis::releaseOfOther, rig.client::serveAndReceive);
            requireServed(rig, writer, reader);
        });
    }

    /** The reader gives up while its request is held back. */
    @Test
    void leaveOfTheReader_againstPlace() {
        exploreClosely(() -> {
            ReadWriteRig rig = new ReadWriteRig();
            rig.redis.readForOther();
            Owner writer = withoutPlace(rig);
            Owner reader = rig.reader();
            reader.acquire();
            together(reader::leave, rig.client::serveAndReceive);
            rig.redis.releaseOfOther();
            rig.requireHolds(writer);
            rig.requireFinished(writer, reader);
        });
    }

    /** Either may have the lock first. */
    private static void requireServed(ReadWriteRig rig, Owner writer, Owner reader) {
        rig.client.quiet();
        Owner first = writer.holds() ? writer : reader;
        Owner second = first == writer ? reader : writer;
        rig.requireHolds(first);
        require(!second.holds(), "one side at a time has the lock");
        first.release();
        rig.requireHolds(second);
        first.requireReleased();
        rig.requireFinished(second);
    }
}
