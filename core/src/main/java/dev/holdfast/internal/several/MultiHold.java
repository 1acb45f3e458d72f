package dev.holdfast.internal.several;

import dev.holdfast.LeaseLoss;
import dev.holdfast.internal.acquire.PartAcquisition;
import dev.holdfast.internal.hold.Extension;
import dev.holdfast.internal.hold.Hold;
import dev.holdfast.internal.hold.LeaseRequest;
import dev.holdfast.internal.hold.Release;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The holds of locks that were acquired together: all of them are held, or the whole is not.
 *
 * <pre>
 *          a member is lost: the others are released, and the loss is told once
 *   HELD ----------------------------------------------------------------------> LOST
 *     \---- released by its owner ----> ENDED                                      |
 *                                         ^----- the owner ends it, and is told ---+
 * </pre>
 *
 * <p>The one transition out of HELD is by compare-and-set, so a loss and a release do not both act. It refers to no
 * handle: a handle that was dropped is collected, although the losses of its members refer to this.
 */
public final class MultiHold {
    private enum State {
        HELD,
        LOST,
        ENDED
    }

    private final List<Hold> members;
    private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
    private final CompletableFuture<LeaseLoss> lost = new CompletableFuture<>();

    /** The member that was lost first; written before the state is LOST is acted upon. */
    private volatile @Nullable Hold lostMember;

    private MultiHold(List<Hold> members) {
        this.members = members;
    }

    /** {@return the hold of members that were just granted} */
    @SuppressWarnings("FutureReturnValueIgnored") // a release in consequence of a loss has no caller
    public static MultiHold of(List<PartAcquisition> granted) {
        MultiHold hold =
                new MultiHold(granted.stream().map(PartAcquisition::granted).toList());
        for (Hold member : hold.members) {
            member.lossSignal().thenAccept(loss -> hold.lost(member, loss));
        }
        return hold;
    }

    /** Called on the callback executor of the member's client. */
    @SuppressWarnings("FutureReturnValueIgnored") // what fails to be released is retried, and runs out
    private void lost(Hold member, LeaseLoss loss) {
        if (!state.compareAndSet(State.HELD, State.LOST)) {
            return;
        }
        lostMember = member;
        members.stream().filter(other -> other != member).forEach(Release::begin);
        lost.complete(loss);
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
        return state.get() == State.HELD && loss() == null && members.stream().allMatch(Hold::isValid);
    }

    /** {@return why the whole is lost; null if it is not} A member's loss may be known before it is told. */
    public @Nullable RuntimeException loss() {
        Hold known = lostMember;
        if (known != null) {
            return known.exceptionFor(known.lossOfOver());
        }
        for (Hold member : members) {
            LeaseLoss loss = member.isOver() ? member.lossOfOver() : member.loss();
            if (loss != null) {
                return member.exceptionFor(loss);
            }
        }
        return null;
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
     * Ends it.
     *
     * @param release ends a member's hold, and returns the outcome
     * @return completes when all have ended, or exceptionally with the first loss or failure; the others are suppressed
     */
    public CompletableFuture<@Nullable Void> end(Function<Hold, CompletableFuture<@Nullable Void>> release) {
        if (!state.compareAndSet(State.HELD, State.ENDED)) {
            RuntimeException loss = loss();
            return CompletableFuture.failedFuture(loss == null ? new IllegalStateException("ended twice") : loss);
        }
        return all(members.stream().map(release).toList());
    }

    /** {@return completes when all of these have; their failures become one} */
    @SuppressWarnings("FutureReturnValueIgnored") // it completes the whole
    public static CompletableFuture<@Nullable Void> all(List<? extends CompletableFuture<?>> outcomes) {
        CompletableFuture<@Nullable Void> whole = new CompletableFuture<>();
        CompletableFuture.allOf(outcomes.toArray(CompletableFuture[]::new)).whenComplete((done, failed) -> {
            Throwable first = null;
            for (CompletableFuture<?> outcome : outcomes) {
                Throwable failure = failureOf(outcome);
                if (first == null) {
                    first = failure;
                } else if (failure != null && failure != first) {
                    first.addSuppressed(failure);
                }
            }
            if (first == null) {
                whole.complete(null);
            } else {
                whole.completeExceptionally(first);
            }
        });
        return whole;
    }

    private static @Nullable Throwable failureOf(CompletableFuture<?> outcome) {
        return outcome.handle((value, failure) -> failure).join();
    }
}
