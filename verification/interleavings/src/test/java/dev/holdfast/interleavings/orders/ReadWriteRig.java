package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;

import java.util.List;
import java.util.stream.Stream;

/** A client and the owners of its read-write lock. */
final class ReadWriteRig {
    final ModelClient client = new ModelClient(Runnable::run);
    final ModelReadWrite redis = client.readWrite;

    ModelClient.Owner reader() {
        return client.new Owner(redis.readKey());
    }

    ModelClient.Owner writer() {
        return client.new Owner(redis.writeKey());
    }

    /** {@return a reader that has the lock} */
    ModelClient.Owner reading() {
        return granted(reader());
    }

    /** {@return a writer that has the lock} */
    ModelClient.Owner writing() {
        return granted(writer());
    }

    /** {@return a reader of the same owner as this writer, which has the lock as well} */
    ModelClient.Owner readingUnder(ModelClient.Owner writer) {
        return granted(writer.again(redis.readKey()));
    }

    private ModelClient.Owner granted(ModelClient.Owner owner) {
        owner.acquire();
        client.quiet();
        require(owner.holds(), "the owner has the lock");
        return owner;
    }

    /** {@return a reader that waits in line, since another client writes} */
    ModelClient.Owner waiting() {
        redis.writeForOther();
        ModelClient.Owner reader = reader();
        reader.acquire();
        client.quiet();
        require(redis.hasReaderInLine(), "the reader is in line");
        return reader;
    }

    /** {@return a reader that has the lock, of a client that listens to the line} */
    ModelClient.Owner readingAndListening() {
        ModelClient.Owner reader = waiting();
        redis.releaseOfOther();
        client.quiet();
        require(reader.holds(), "the reader has the lock");
        return reader;
    }

    /** What the client takes for held is held in Redis. */
    void requireTruth(ModelClient.Owner... owners) {
        client.quiet();
        for (ModelClient.Owner owner : owners) {
            require(
                    !owner.isHeld() || redis.has(owner.hold().inRedis().claim()),
                    "Redis has what the client takes for held");
        }
    }

    /** These owners have the lock, in Redis as well. */
    void requireHolds(ModelClient.Owner... owners) {
        requireTruth(owners);
        for (ModelClient.Owner owner : owners) {
            require(owner.holds() && owner.isHeld(), "the owner has the lock");
        }
    }

    /** Each of these owners that was granted the lock releases it, and nothing is left. */
    void requireFinished(ModelClient.Owner... owners) {
        requireTruth(owners);
        List<ModelClient.Owner> granted =
                Stream.of(owners).filter(ModelClient.Owner::holds).toList();
        for (ModelClient.Owner owner : granted) {
            boolean held = owner.isHeld();
            owner.release();
            client.quiet();
            require(held ? owner.hasReleased() : owner.lostIt(), "the release succeeds, or reports the loss");
        }
        client.requireNothingLeft();
    }
}
