package dev.holdfast.fault.line;

import static dev.holdfast.FaultyRedis.eventually;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A lock for which several clients wait in line. */
final class LineScene {
    static final String NAME = "orders:42";

    /** The lease of a grant to a cautious client: its command timeout. */
    static final Duration CLAIM = Duration.ofMillis(600);

    private static final Pattern EVALUATIONS = Pattern.compile("cmdstat_evalsha:calls=(\\d+),");

    private final FaultyRedis faulty;
    private final DistributedLock holders;

    LineScene(FaultyRedis faulty) {
        this.faulty = faulty;
        this.holders = faulty.bystander().getLock(NAME);
    }

    /** {@return the lock, in a client without faults that does not wait for it} */
    DistributedLock holders() {
        return holders;
    }

    /** {@return a client behind the proxy, to which the lock is granted for {@link #CLAIM}} */
    Holdfast cautious() {
        return faulty.client(builder -> builder.commandTimeout(CLAIM));
    }

    /** {@return a client without faults, to which the lock is granted for {@link #CLAIM}} */
    Holdfast brisk() {
        return faulty.client(builder -> builder.redisUri(faulty.server().uri()).commandTimeout(CLAIM));
    }

    /** {@return an acquisition of this lock, once so many clients are in line} */
    CompletableFuture<Lease> join(DistributedLock lock, int place) {
        CompletableFuture<Lease> waiting = lock.acquireAsync();
        awaitInLine(place);
        return waiting;
    }

    /** {@return how many scripts the server has run by their digest} */
    long evaluations() {
        Matcher calls = EVALUATIONS.matcher(String.valueOf(faulty.server().command("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    /** Waits until so many clients are in line. */
    void awaitInLine(int clients) {
        eventually(() -> holders.inspect().clientsInLine() == clients);
    }
}
