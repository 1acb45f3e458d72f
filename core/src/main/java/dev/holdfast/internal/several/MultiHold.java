package dev.holdfast.internal.several;

import dev.holdfast.LeaseLoss;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.hold.Extension;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.redis.Outage;
import dev.holdfast.internal.session.JointFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The holds of locks that were acquired together: all of them are held, or the whole is not.
 *
 * <pre>
 *          a member is lost: that is reported once          its owner ends it: each member is released
 *   HELD -----------------------------------------> LOST ------------------------------------------------> ENDED
 *     \------------------- its owner ends it: each member is released -----------------------------------^
 * </pre>
 *
 * <p>A loss releases no member, whatever its reason. The owner may be working under the locks, and notices the loss only
 * when it looks; until then, each member that is not lost itself keeps other owners out. It is renewed as any other hold
 * of a handle, until the whole is ended.
 *
 * <p>Which of the two comes first does not matter: an end releases each member by itself, and reports the loss of each
 * that was lost before. It refers to no handle: a handle that was dropped is collected, although the losses of its
 * members refer to this.
 */
public final class MultiHold {
    private final List<Hold> members;
    private final CompletableFuture<LeaseLoss> lost = new CompletableFuture<>();

    /** The member whose loss was reported first. */
    private final AtomicReference<@Nullable Hold> reported = new AtomicReference<>();

    private MultiHold(List<Hold> members) {
        this.members = members;
    }

    /** {@return the hold of members that were just granted} */
    @SuppressWarnings("FutureReturnValueIgnored") // it has no outcome but the loss
    public static MultiHold of(List<PartAcquisition> granted) {
        MultiHold hold =
                new MultiHold(granted.stream().map(PartAcquisition::granted).toList());
        for (Hold member : hold.members) {
            member.lossSignal().thenAccept(loss -> hold.lost(member, loss));
        }
        return hold;
    }

    /** Called on the callback executor of the member's client. */
    private void lost(Hold member, LeaseLoss loss) {
        if (reported.compareAndSet(null, member)) {
            lost.complete(loss);
        }
    }

    /** {@return completes with the loss of the first member that is lost} */
    public CompletableFuture<LeaseLoss> lossSignal() {
        return lost;
    }

    public List<Hold> members() {
        return members;
    }

    /** {@return whether all members are held, as far as this process can know} */
    public boolean isValid() {
        return lostMember() == null && members.stream().allMatch(Hold::isValid);
    }

    /** {@return why the whole is lost; null if it is not} */
    public @Nullable RuntimeException loss() {
        Hold member = lostMember();
        return member == null ? null : member.exceptionFor(member.lossOfOver());
    }

    /** {@return the member whose loss is that of the whole; null if there is none} A loss may be known before it is reported. */
    private @Nullable Hold lostMember() {
        Hold first = reported.get();
        return first != null
                ? first
                : members.stream()
                        .filter(member -> member.isOver() || member.loss() != null)
                        .findFirst()
                        .orElse(null);
    }

    /** {@return the outage of the node of a member; null if there is none} */
    public @Nullable Outage outage() {
        return members.stream()
                .map(member -> member.lane().home().outage())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** {@return completes when all members have at least this lease, or exceptionally with the loss or the first failure} */
    public CompletableFuture<@Nullable Void> extend(LeaseRequest lease) {
        return orLoss(all(
                members.stream().map(member -> Extension.begin(member, lease)).toList()));
    }

    /**
     * Has Redis confirm those members that do not count as valid although they are not known to be lost, because the machine
     * seems to have been suspended.
     *
     * @return as {@link #extend}; completed if all members are valid
     */
    public CompletableFuture<@Nullable Void> confirm() {
        return orLoss(all(members.stream()
                .filter(member -> !member.isValid())
                .map(Extension::confirm)
                .toList()));
    }

    /** {@return the same, failing with the loss if there is one} A loss makes the commands about the other members fail. */
    private CompletableFuture<@Nullable Void> orLoss(CompletableFuture<@Nullable Void> commands) {
        return commands.exceptionallyCompose(failure -> {
            RuntimeException loss = loss();
            return CompletableFuture.failedFuture(loss == null ? failure : loss);
        });
    }

    /**
     * Ends it. Called once.
     *
     * @param release ends a member's hold, and returns the outcome
     * @return completes when all have ended, or exceptionally with the loss or the first failure; the others are suppressed
     */
    public CompletableFuture<@Nullable Void> end(Function<Hold, CompletableFuture<@Nullable Void>> release) {
        List<Hold> lostFirst = new ArrayList<>(members);
        Hold lostMember = lostMember();
        if (lostMember != null) {
            lostFirst.remove(lostMember);
            lostFirst.add(0, lostMember);
        }
        return all(lostFirst.stream().map(release).toList());
    }

    /** {@return completes when all of these have; their failures become one} */
    @SuppressWarnings("FutureReturnValueIgnored") // it completes the whole
    public static CompletableFuture<@Nullable Void> all(List<? extends CompletableFuture<?>> outcomes) {
        CompletableFuture<@Nullable Void> whole = new CompletableFuture<>();
        CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new)).whenComplete((done, failed) -> {
            List<Throwable> failures = outcomes.stream()
                    .flatMap(outcome -> failureOf(outcome).stream())
                    .distinct()
                    .toList();
            if (failures.isEmpty()) {
                whole.complete(null);
            } else {
                whole.completeExceptionally(JointFailure.of(failures));
            }
        });
        return whole;
    }

    private static Optional<Throwable> failureOf(CompletableFuture<?> outcome) {
        return Optional.ofNullable(outcome.handle((value, failure) -> failure).join());
    }
}
