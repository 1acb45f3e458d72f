package dev.holdfast.internal.topology;

import dev.holdfast.LockException;
import dev.holdfast.internal.redis.NodeAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Asks all sentinels for the address of the master, at the same time. */
final class MasterLookUp extends LookUp {
    private final Sentinels group;
    private final String master;

    MasterLookUp(Sentinels group, String master) {
        super(group);
        this.group = group;
        this.master = master;
    }

    @Override
    CompletionStage<?> ask() {
        return elect(LONGEST).thenAccept(group::apply);
    }

    /**
     * {@return the address that more than half of the sentinels name; fails with {@link LockException} if there is none}
     *
     * @param each how long a sentinel may take to answer
     */
    CompletionStage<NodeAddress> elect(Duration each) {
        List<Sentinel> sentinels = group.sentinels();
        Ballot ballot = new Ballot(sentinels.size());
        ConnectFailures failures =
                new ConnectFailures(sentinels.stream().map(Sentinel::place).toList());
        CompletableFuture<NodeAddress> elected = new CompletableFuture<>();
        AtomicReference<@Nullable Throwable> latest = new AtomicReference<>();
        int reports = group.replaced().reports();
        for (Sentinel sentinel : sentinels) {
            sentinel.ask(master, each).whenComplete((address, failure) -> {
                if (failure == null) {
                    failures.add(sentinel.place(), "answered");
                    group.replaced().named(sentinel, address, reports);
                    ballot.answered(address);
                } else {
                    failures.add(sentinel.place(), sentinel.why(failure));
                    latest.set(failure);
                    ballot.silent();
                }
                if (ballot.isDecided()) {
                    settle(elected, ballot, failures, latest.get());
                }
            });
        }
        return elected;
    }

    private void settle(
            CompletableFuture<NodeAddress> to, Ballot ballot, ConnectFailures failures, @Nullable Throwable latest) {
        @Nullable NodeAddress elected = ballot.elected();
        if (elected != null) {
            to.complete(elected);
        } else {
            to.completeExceptionally(
                    new LockException(why(ballot, failures.toString()), ballot.isQuorate() ? null : latest));
        }
    }

    private String why(Ballot ballot, String failures) {
        if (ballot.isAnswered() && !ballot.isQuorate()) {
            return "less than a majority of the sentinels of master '" + master + "' answers: " + failures;
        }
        if (ballot.isNamed()) {
            return "the sentinels do not agree on the address of master '" + master + "'";
        }
        if (ballot.isAnswered()) {
            return "the sentinels know no master '" + master + "', which redisUri names";
        }
        boolean denied = failures.contains("NOAUTH") || failures.contains("WRONGPASS");
        boolean unknown = failures.contains("unknown command");
        return "no sentinel of master '" + master + "' answers: " + failures
                + (denied ? "; sentinels have credentials of their own, apart from those of Redis" : "")
                + (unknown ? "; a Redis that is no sentinel is named by redis://host:6379" : "");
    }
}
