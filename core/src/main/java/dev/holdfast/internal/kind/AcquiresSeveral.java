package dev.holdfast.internal.kind;

import dev.holdfast.internal.redis.Call;
import java.util.List;

/** A kind of which several locks that are at one node, and in one slot of a cluster, are acquired by one command. */
public interface AcquiresSeveral {
    /**
     * Acquires locks, each for an owner of its own.
     *
     * @param claims of first acquires, in the order in which the locks are acquired
     * @param inPart whether the locks before the first that is busy are acquired; if not, all are or none
     * @param parts the calls by {@link Kind#acquire} that this one is sent in place of, in the same order: they are
     *     settled with it. A lock that is not acquired because of another one is reported as gone
     */
    Call acquireSeveral(List<Claim> claims, boolean inPart, List<Call> parts);
}
