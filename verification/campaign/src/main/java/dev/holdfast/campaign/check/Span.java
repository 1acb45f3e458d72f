package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.Announced;
import dev.holdfast.campaign.history.Event.AtRisk;
import dev.holdfast.campaign.history.Event.Believed;
import dev.holdfast.campaign.history.Event.Confirmed;
import dev.holdfast.campaign.history.Event.SeenLost;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Operation;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One hold as its owner saw it: from the grant of its first level to the release of its last, with the events of its
 * lease. Built by {@link Spans}, and not changed afterwards.
 */
final class Span {
    private final Operation grant;
    private final List<Operation> levels = new ArrayList<>();
    private final List<Operation> extensions = new ArrayList<>();
    private final List<Confirmed> confirmed = new ArrayList<>();
    private final List<Believed> believed = new ArrayList<>();
    private final List<AtRisk> atRisk = new ArrayList<>();
    private final List<Announced> announced = new ArrayList<>();
    private final List<SeenLost> seenLost = new ArrayList<>();
    /** Acquisitions that its owner abandoned just before, or since, and whose leases it may have. */
    private final List<Operation> adopted = new ArrayList<>();

    private int depth = 1;
    /** The operation that released the last level, or found it lost. */
    private @Nullable Operation release;

    Span(Operation grant) {
        this.grant = grant;
        levels.add(grant);
    }

    /**
     * The owner abandoned this acquisition just before, or while it had this hold. If that was granted all the same, this hold may
     * have begun as a re-entry of it, or was re-entered by it, and a re-entry never shortens a lease.
     */
    void mayAdopt(Operation givenUp) {
        adopted.add(givenUp);
    }

    void enter(Operation level) {
        levels.add(level);
        depth++;
    }

    /** A level was unlocked, whatever the outcome: an unlock that throws has removed its level too. */
    void leave(Operation unlock) {
        depth--;
        if (depth == 0) {
            release = unlock;
        }
    }

    void extend(Operation extension) {
        extensions.add(extension);
    }

    void add(Confirmed event) {
        confirmed.add(event);
    }

    void add(Believed event) {
        believed.add(event);
    }

    void add(AtRisk event) {
        atRisk.add(event);
    }

    void add(Announced event) {
        announced.add(event);
    }

    void add(SeenLost event) {
        seenLost.add(event);
    }

    Operation grant() {
        return grant;
    }

    List<Operation> extensions() {
        return extensions;
    }

    List<Operation> levels() {
        return levels;
    }

    String lock() {
        return grant.lock();
    }

    /** {@return whether others may have the lock at the same time, as long as they read too} */
    boolean reads() {
        return grant.reads();
    }

    /** {@return whether this hold and that one of the same lock can exist at the same time} */
    boolean admits(Span other) {
        return (reads() && other.reads()) || grant.isOfSemaphore();
    }

    String owner() {
        return grant.owner();
    }

    String client() {
        return grant.client();
    }

    String process() {
        return grant.op().process();
    }

    List<Confirmed> confirmed() {
        return confirmed;
    }

    List<Believed> believed() {
        return believed;
    }

    List<AtRisk> atRisk() {
        return atRisk;
    }

    List<Announced> announced() {
        return announced;
    }

    List<SeenLost> seenLost() {
        return seenLost;
    }

    boolean isOver() {
        return depth == 0;
    }

    /** {@return when its owner began to release the last level, {@link Operation#NEVER} if it did not} */
    long releasing() {
        return release == null ? Operation.NEVER : release.called().at();
    }

    /** {@return when the last level was certainly released, {@link Operation#NEVER} if that is not certain} */
    long released() {
        return wasReleased() && release != null ? release.end() : Operation.NEVER;
    }

    /**
     * {@return when the release of the last level had returned, and the delay after which it was to take effect had
     * passed; {@link Operation#NEVER} if it did not return}
     */
    long left() {
        if (release == null || release.end() == Operation.NEVER) {
            return Operation.NEVER;
        }
        return release.end() + delayNanos(release);
    }

    private static long delayNanos(Operation release) {
        return release.called().what() == What.CLOSE_AFTER
                ? TimeUnit.MILLISECONDS.toNanos(release.called().leaseMillis())
                : 0;
    }

    /** {@return the release after which the lock was to stay busy, if it succeeded} */
    Optional<Operation> keptBusyBy() {
        return Optional.ofNullable(release)
                .filter(each -> each.called().what() == What.CLOSE_AFTER && each.is(Outcome.RELEASED));
    }

    /** {@return whether its release was not awaited} */
    boolean wasSent() {
        return release != null && release.is(Outcome.SENT);
    }

    boolean wasReleased() {
        return release != null && release.is(Outcome.RELEASED);
    }

    /** {@return whether its loss was reported to its owner, or detected by it} */
    boolean wasLost() {
        return !announced.isEmpty() || !seenLost.isEmpty() || (release != null && release.is(Outcome.LOST));
    }

    /** {@return when its owner knew of its loss, {@link Operation#NEVER} if it did not} */
    long knownLost() {
        long reported = announced.stream().mapToLong(Announced::at).min().orElse(Operation.NEVER);
        long seen = seenLost.stream().mapToLong(SeenLost::at).min().orElse(Operation.NEVER);
        long answered = release != null && release.is(Outcome.LOST) ? release.end() : Operation.NEVER;
        return Math.min(Math.min(reported, seen), answered);
    }

    /**
     * {@return when it was reported that the new master does not have it; {@link Operation#NEVER} if it was not} From
     * then on it is certain that no server has it.
     */
    long missedInFailover() {
        return announced.stream()
                .filter(event -> event.loss() == Loss.FAILOVER)
                .mapToLong(Announced::at)
                .min()
                .orElse(Operation.NEVER);
    }

    /** {@return whether its lease is renewed: one level without an explicit lease is enough} */
    boolean isWatched() {
        return levels.stream().anyMatch(level -> level.called().leaseMillis() == 0);
    }

    /** {@return the latest time at which its lease can end on the server, by what was reported to its owner} */
    long latestEnd(Terms terms) {
        long end = Long.MIN_VALUE;
        for (Operation level : levels) {
            end = Math.max(end, level.end() + terms.leaseNanos(level.called().leaseMillis()));
        }
        for (Operation givenUp : adopted) {
            long since = givenUp.end() == Operation.NEVER ? grant.end() : Math.max(grant.end(), givenUp.end());
            end = Math.max(end, since + terms.leaseNanos(givenUp.called().leaseMillis()));
        }
        for (Operation extension : extensions) {
            end = Math.max(
                    end, extension.end() + terms.leaseNanos(extension.called().leaseMillis()));
        }
        for (Confirmed renewal : confirmed) {
            end = Math.max(end, renewal.at() + terms.leaseNanos(renewal.leaseMillis()));
        }
        return end;
    }

    /**
     * {@return the time until which its lease cannot have ended on the server, unless its key was lost, by the renewals
     * and extensions that were reported before {@code now}; {@link Long#MIN_VALUE} if there were none}
     */
    long confirmedUntil(Terms terms, long now) {
        long end = Long.MIN_VALUE;
        for (Operation extension : extensions) {
            if (extension.end() <= now && extension.is(Outcome.EXTENDED)) {
                end = Math.max(
                        end,
                        extension.called().at()
                                + terms.leaseNanos(extension.called().leaseMillis()));
            }
        }
        for (Confirmed renewal : confirmed) {
            if (renewal.at() <= now) {
                end = Math.max(end, renewal.since() + terms.leaseNanos(renewal.leaseMillis()));
            }
        }
        return end == Long.MIN_VALUE ? end : end - terms.drift().toNanos();
    }

    @Override
    public String toString() {
        return owner() + " (" + grant.op() + ")";
    }
}
