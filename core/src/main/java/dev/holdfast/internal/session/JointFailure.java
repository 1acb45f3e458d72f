package dev.holdfast.internal.session;

import dev.holdfast.LeaseLostException;
import dev.holdfast.ReleaseUnconfirmedException;
import java.util.Comparator;
import java.util.List;

/** The one exception for the failures of several commands. */
public final class JointFailure {
    private JointFailure() {}

    /**
     * {@return the gravest failure, with the others as suppressed: a loss before all, an unconfirmed release after all} Of
     * equal ones it is the first. If there are several, all of which are unconfirmed releases, it is one for all of their
     * locks.
     *
     * @param failures at least one
     */
    public static Throwable of(List<Throwable> failures) {
        List<Throwable> ordered = failures.stream()
                .sorted(Comparator.comparingInt(JointFailure::rank))
                .toList();
        boolean isOfAll = ordered.size() > 1 && ordered.get(0) instanceof ReleaseUnconfirmedException;
        Throwable whole = isOfAll ? unconfirmed(ordered) : ordered.get(0);
        ordered.stream().filter(failure -> failure != whole).forEach(whole::addSuppressed);
        return whole;
    }

    private static int rank(Throwable failure) {
        if (failure instanceof LeaseLostException) {
            return 0;
        }
        return failure instanceof ReleaseUnconfirmedException ? 2 : 1;
    }

    private static ReleaseUnconfirmedException unconfirmed(List<Throwable> failures) {
        List<String> names = failures.stream()
                .map(ReleaseUnconfirmedException.class::cast)
                .flatMap(failure -> failure.names().stream())
                .toList();
        Throwable first = failures.get(0);
        return new ReleaseUnconfirmedException(
                "the releases of " + names.size() + " locks are unconfirmed; of the first: " + first.getMessage(),
                first.getCause(),
                names);
    }
}
