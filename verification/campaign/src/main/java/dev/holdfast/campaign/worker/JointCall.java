package dev.holdfast.campaign.worker;

import dev.holdfast.LeaseLostException;
import dev.holdfast.campaign.schedule.Turn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** One recorded call for several locks, which is an operation for each of them. */
final class JointCall {
    private final Map<String, Call> calls = new LinkedHashMap<>();

    /** Records that the owner is about to acquire these locks, or one of them. */
    static JointCall of(OwnerDiary owner, Turn turn, List<Diary.Name> names) {
        JointCall joint = new JointCall();
        names.forEach(name -> joint.calls.put(name.lock(), owner.acquires(turn, name)));
        return joint;
    }

    private JointCall() {}

    /** {@return the operation for one lock, whose outcome is recorded by the caller} */
    Call take(String lock) {
        Call call = calls.remove(lock);
        if (call == null) {
            throw new IllegalStateException("the lock must be one of " + calls.keySet() + ", was " + lock);
        }
        return call;
    }

    /** Records the same outcome for those that were not {@linkplain #take taken}. */
    void all(Consumer<Call> outcome) {
        calls.values().forEach(outcome);
    }

    /** The call threw. If a lock was lost before the others were acquired, it ended without any. */
    void threw(Throwable failure) {
        all(call -> {
            if (Call.cause(failure) instanceof LeaseLostException) {
                call.missed();
            } else {
                call.threw(failure);
            }
        });
    }
}
