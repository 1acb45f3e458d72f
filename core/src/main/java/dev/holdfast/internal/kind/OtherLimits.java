package dev.holdfast.internal.kind;

import dev.holdfast.internal.redis.Call;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns when a semaphore is used with another number of permits than a request has named: once for a pair of numbers. */
final class OtherLimits {
    private static final Logger log = LoggerFactory.getLogger(OtherLimits.class);

    /** Of how many pairs it is remembered that they were reported. Then it begins anew: a name may be made from an id. */
    private static final int MOST = 1_000;

    private record Pair(String name, long fewer, long more) {}

    private final Set<Pair> reported = ConcurrentHashMap.newKeySet();

    /** Reads whether the request before named another number than that of this semaphore. */
    void note(LockKey semaphore, Call answered) {
        long other = other(answered);
        if (other == 0) {
            return;
        }
        if (reported.size() >= MOST) {
            reported.clear();
        }
        long here = semaphore.limit();
        if (reported.add(new Pair(semaphore.name(), Math.min(here, other), Math.max(here, other)))) {
            log.warn(
                    "Semaphore '{}' is used with {} permits here, and with {} by another request; as long as both are in"
                            + " use, as during a deployment, up to {} are granted",
                    semaphore,
                    here,
                    other,
                    Math.max(here, other));
        }
    }

    /** {@return what follows the tenure and the number, or the place in line; 0 if nothing does} */
    private static long other(Call answered) {
        if (answered.outcome() != Call.Outcome.ANSWERED) {
            return 0;
        }
        List<Object> elements = answered.elements();
        int at = answered.number() > 0 ? 2 : 3;
        return elements.size() > at && elements.get(at) instanceof Long limit ? limit : 0;
    }
}
