package dev.holdfast.internal.hold;

import dev.holdfast.LossReason;
import dev.holdfast.internal.kind.Answer;
import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.node.Home;
import dev.holdfast.internal.node.Homes;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.session.LockExceptions;
import dev.holdfast.internal.session.Session;
import dev.holdfast.watchdog.LeaseKeeper;
import dev.holdfast.watchdog.LeaseStore;
import dev.holdfast.watchdog.LeaseTerms;
import dev.holdfast.watchdog.RenewalOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews and verifies holds in Redis: in batches, with one command for each Redis node and kind of lock in the batch; in
 * a cluster, for each slot.
 *
 * <p>Redis checks the permissions for all keys of a command before it runs it, so one hold whose key is forbidden would
 * cost all holds of its command their leases. A refused command is therefore sent again at once for each half of its
 * holds, and so on, until the refused holds are isolated. A hold remembers that it was refused, and is sent in a
 * command apart from the others until it is renewed, so that the next round has the others in one command again. A
 * batch takes at most {@link #MOST_COMMANDS} commands for each node and kind; holds that are undecided after those are
 * retried in the next round, divided differently. A command is not divided if Redis does not execute it at all, or
 * refuses it whatever the keys are.
 *
 * <p>A reply counts at once, also when its node was {@linkplain dev.holdfast.internal.redis.Silence silent} before and may
 * have been replaced: every renewal of an idle client comes after a silence, and its holds must not depend on what other
 * nodes answer. They are asked, though: if another one is the master, the holds are verified there.
 *
 * @see "RefusedRenewalTest, RenewalTest, ClusterRenewalsTest"
 */
public final class HoldRenewals implements LeaseStore<Hold> {
    private static final Logger log = LoggerFactory.getLogger(HoldRenewals.class);

    /** Enough to isolate three refused keys among five hundred. */
    static final int MOST_COMMANDS = 64;

    /** Creates the command for the holds that one command can be about. */
    private interface BatchCommand {
        Call about(Destination to, List<Hold> holds, Call.Callback caller);
    }

    private final Session session;
    private final Homes homes;
    private final LeaseRequest lease;

    HoldRenewals(Session session, Homes homes) {
        this.session = session;
        this.homes = homes;
        this.lease = LeaseRequest.watched(session.watchdogTimeout());
    }

    /**
     * {@return a keeper that renews holds by these commands}
     *
     * @param maxHold the longest time that a lease is renewed; null for no limit
     */
    public static LeaseKeeper<Hold> keeper(
            Session session, Homes homes, Duration driftAllowance, @Nullable Duration maxHold) {
        LeaseTerms terms = LeaseTerms.of(session.watchdogTimeout()).withDriftAllowance(driftAllowance);
        return new LeaseKeeper<>(
                session.deadlines(),
                session.wallMillis(),
                maxHold == null ? terms : terms.withMaxHold(maxHold),
                new HoldRenewals(session, homes));
    }

    @Override
    public CompletionStage<List<RenewalOutcome>> renew(List<Hold> batch) {
        return send(batch, (to, holds, caller) -> {
            long now = session.now();
            holds.forEach(hold -> hold.extensionSent(now + lease.nanos()));
            return to.kind()
                    .renew(renewed(to.home(), holds, now), call -> {
                        holds.forEach(hold -> hold.extensionAnswered(call));
                        caller.completed(call);
                    })
                    .replicated();
        });
    }

    /**
     * {@return the claims of these holds for another lease} A node that has not confirmed a hold may lack an extension to more
     * than that.
     */
    private List<Claim> renewed(Home home, List<Hold> holds, long nowNanos) {
        return holds.stream()
                .map(hold -> hold.claim(hold.isConfirmedBy(home) ? lease.millis() : restMillis(hold, nowNanos)))
                .toList();
    }

    /**
     * {@inheritDoc}
     *
     * <p>A node that has taken the place of another one may have a hold with a shorter lease than the former one has
     * confirmed, if it lacks an extension. There the lease is set to the rest of what was requested, which never shortens
     * it.
     */
    @Override
    public CompletionStage<List<RenewalOutcome>> verify(List<Hold> batch) {
        return send(batch, (to, holds, caller) -> {
            if (holds.stream().allMatch(hold -> hold.isConfirmedBy(to.home()))) {
                return to.kind().verify(claims(holds, 0), caller);
            }
            long now = session.now();
            List<Claim> rest = holds.stream()
                    .map(hold -> hold.claim(restMillis(hold, now)))
                    .toList();
            return to.kind().renew(rest, caller).replicated();
        });
    }

    /** {@return what is left of the lease that was requested for it last} */
    private static long restMillis(Hold hold, long nowNanos) {
        return Math.max(1, LeaseRequest.millisOf(hold.requestedUntilNanos() - nowNanos));
    }

    private static List<Claim> claims(List<Hold> holds, long leaseMillis) {
        return holds.stream().map(hold -> hold.claim(leaseMillis)).toList();
    }

    private CompletionStage<List<RenewalOutcome>> send(List<Hold> holds, BatchCommand command) {
        Map<Hold, List<Hold>> parts = new HashMap<>();
        Map<Destination, List<Hold>> destinations = destinations(holds, parts);
        Batch batch = new Batch(holds, parts, command, destinations.size());
        destinations.forEach((destination, there) -> new Parts(destination, batch).begin(there));
        return batch.answer;
    }

    /** Holds that are renewed or verified together: none of them is known to be before all are. */
    private static final class Batch {
        private final List<Hold> holds;
        private final BatchCommand command;
        private final Map<Hold, RenewalOutcome> outcomes;

        /** The holds that are a part of another one, which is sent for them. */
        private final Map<Hold, List<Hold>> parts;

        private final CompletableFuture<List<RenewalOutcome>> answer = new CompletableFuture<>();

        /** The number of destinations that have not ended. */
        private final AtomicInteger open;

        Batch(List<Hold> holds, Map<Hold, List<Hold>> parts, BatchCommand command, int destinations) {
            this.holds = holds;
            this.parts = parts;
            this.command = command;
            this.outcomes = Collections.synchronizedMap(new IdentityHashMap<>(holds.size()));
            this.open = new AtomicInteger(destinations);
        }

        void ended() {
            if (open.decrementAndGet() == 0) {
                answer.complete(holds.stream()
                        .map(hold -> outcomes.getOrDefault(hold, RenewalOutcome.UNKNOWN))
                        .toList());
            }
        }
    }

    /** The holds that one command can be about: of one kind, on one Redis node; in a cluster, in one slot. */
    private record Destination(Home home, Kind kind, int group) {}

    /** @param parts filled with the holds for which another one is sent, by that one */
    private Map<Destination, List<Hold>> destinations(List<Hold> batch, Map<Hold, List<Hold>> parts) {
        Set<Hold> sent = new LinkedHashSet<>();
        for (Hold hold : batch) {
            SharedHold<Hold> whole = hold.shared;
            sent.add(whole == null ? hold : whole.hold());
            if (whole != null) {
                parts.computeIfAbsent(whole.hold(), each -> new ArrayList<>()).add(hold);
            }
        }
        Map<Destination, List<Hold>> all = new LinkedHashMap<>();
        for (Hold hold : sent) {
            LockKey lock = hold.lock();
            all.computeIfAbsent(
                            new Destination(homes.of(lock), lock.kind(), homes.group(lock)),
                            destination -> new ArrayList<>())
                    .add(hold);
        }
        return all;
    }

    /**
     * The renewal or verification of a batch's holds for one destination, and the calls that it takes. Both halves of a
     * refused command are sent at once, so that the search takes as many round trips as there are halvings, and a slow
     * link does not cost the other holds their leases.
     */
    private static final class Parts {
        private final Destination destination;
        private final Batch batch;
        private final AtomicInteger commands = new AtomicInteger();

        /** The number of calls without an answer, plus one until the first calls have been sent. */
        private final AtomicInteger open = new AtomicInteger(1);

        Parts(Destination destination, Batch batch) {
            this.destination = destination;
            this.batch = batch;
        }

        void begin(List<Hold> holds) {
            List<Hold> others = new ArrayList<>(holds.size());
            List<Hold> refused = new ArrayList<>();
            for (Hold hold : holds) {
                (hold.isRenewalRefused() ? refused : others).add(hold);
            }
            Collections.shuffle(refused);
            send(others, "");
            send(refused, "");
            ended();
        }

        /** @param error Redis's answer to the command that these holds are a part of */
        private void send(List<Hold> candidates, String error) {
            // A renewal that is sent late must not revive a hold that was lost in between. All holds are sent
            // to Redis before, except one that has just begun: that is renewed the next time.
            candidates.forEach(hold -> hold.lane().local().commitHandoffs());
            List<Hold> part = candidates.stream()
                    .filter(hold -> hold.loss() == null && hold.isSent())
                    .toList();
            if (part.isEmpty()) {
                return;
            }
            if (commands.incrementAndGet() > MOST_COMMANDS) {
                noteRefused(part, error);
                return;
            }
            open.incrementAndGet();
            part.forEach(hold -> hold.lane().registry().settle(hold.lane().local(), destination.home()));
            LockKey any = part.get(0).lock();
            destination.home().send(any, batch.command.about(destination, part, call -> {
                destination.home().noteOutcome(call);
                completed(part, call);
                ended();
            }));
        }

        private void ended() {
            if (open.decrementAndGet() == 0) {
                batch.ended();
            }
        }

        private void completed(List<Hold> covered, Call call) {
            switch (call.outcome()) {
                case ANSWERED -> read(covered, call);
                case REFUSED -> refused(covered, call.error());
                case NOT_EXECUTED -> noteRefused(covered, call.error());
                case UNKNOWN, NOT_SENT -> covered.forEach(hold -> hold.renewalRefused(false));
            }
        }

        /** The reply has an element for each hold. */
        @SuppressWarnings("FutureReturnValueIgnored") // if another node is the master, the holds are verified there
        private void read(List<Hold> covered, Call call) {
            List<Object> elements = call.elements();
            for (int i = 0; i < covered.size(); i++) {
                Hold sent = covered.get(i);
                Object element = elements.get(i);
                batch.outcomes.put(sent, outcome(sent, sent, element, destination.home()));
                for (Hold part : batch.parts.getOrDefault(sent, List.of())) {
                    // What was released is about to be replaced by another hold, or is by now: the part may be held
                    // whatever the element says.
                    if (sent.levels() > 0) {
                        batch.outcomes.put(part, outcome(part, sent, element, destination.home()));
                    }
                }
            }
            if (call.isDoubtful()) {
                call.confirm();
            }
        }

        private void refused(List<Hold> covered, String error) {
            int size = covered.size();
            if (size == 1 || LockExceptions.isOfCommand(error)) {
                noteRefused(covered, error);
                return;
            }
            send(covered.subList(0, size / 2), error);
            send(covered.subList(size / 2, size), error);
        }
    }

    /** @param sent the hold that was sent, or what it is a part of */
    private static RenewalOutcome outcome(Hold hold, Hold sent, Object element, Home home) {
        return switch (Answer.ofElement(element, sent.tenure()).outcome()) {
            case HELD -> {
                sent.renewalRefused(false);
                hold.confirmedWhileHome(home);
                OrphanRelease.beginIfLost(hold);
                yield hold.isConfirmedBy(home) ? RenewalOutcome.RENEWED : RenewalOutcome.UNKNOWN;
            }
            case BUSY -> lost(hold, LossReason.TAKEN);
            case GONE, LATE -> lost(hold, LossReason.GONE);
            case REFUSED, NOT_EXECUTED, MALFORMED -> {
                noteRefused(List.of(sent), element.toString());
                yield RenewalOutcome.UNKNOWN;
            }
            case UNKNOWN, NOT_SENT -> RenewalOutcome.UNKNOWN;
        };
    }

    private static RenewalOutcome lost(Hold hold, LossReason reason) {
        hold.recordReason(reason);
        return RenewalOutcome.LOST;
    }

    /** Logs a warning once for each hold that is refused, until it is renewed. */
    private static void noteRefused(List<Hold> holds, String error) {
        List<Hold> first =
                holds.stream().filter(hold -> hold.renewalRefused(true)).toList();
        if (!first.isEmpty()) {
            log.warn(
                    "Redis did not renew or verify the leases of {} locks, among them {}; retried until they run out: {}",
                    first.size(),
                    first.get(0),
                    error);
        }
    }
}
