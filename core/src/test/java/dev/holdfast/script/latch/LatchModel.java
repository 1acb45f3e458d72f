package dev.holdfast.script.latch;

import dev.holdfast.internal.latch.LatchState.Verdict;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a latch should do: each command of a client once, whenever it comes. It knows nothing of a record. */
final class LatchModel {
    /** A count from its set to its end. */
    static final class Count {
        long left;
        final boolean ours;

        /** When it expires, or would have; in milliseconds. */
        long ends;

        final long renewal;

        /** In Redis; 0 if it has none. */
        long generation;

        Verdict became = Verdict.WAIT;

        /** Whether Redisson has ended it. */
        boolean byRedisson;

        Count(long left, boolean ours, long ends, long renewal) {
            this.left = left;
            this.ours = ours;
            this.ends = ends;
            this.renewal = renewal;
        }

        Count copy() {
            Count copy = new Count(left, ours, ends, renewal);
            copy.generation = generation;
            copy.became = became;
            copy.byRedisson = byRedisson;
            return copy;
        }
    }

    /**
     * What a command should do.
     *
     * @param result the second element of its reply; null if it has none
     * @param messages those that it publishes
     */
    record Expected(@Nullable String result, List<String> messages) {}

    private final List<Count> counts = new ArrayList<>();
    private final Map<String, Long> last = new HashMap<>();
    private final Map<String, String> results = new HashMap<>();

    LatchModel copy() {
        LatchModel copy = new LatchModel();
        counts.forEach(count -> copy.counts.add(count.copy()));
        copy.last.putAll(last);
        copy.results.putAll(results);
        return copy;
    }

    /** {@return the counts, the oldest first} */
    List<Count> counts() {
        return counts;
    }

    @Nullable
    Count present() {
        Count latest = counts.isEmpty() ? null : counts.get(counts.size() - 1);
        return latest != null && latest.became == Verdict.WAIT ? latest : null;
    }

    long left() {
        Count present = present();
        return present == null ? 0 : present.left;
    }

    long lastOf(String client) {
        return last.getOrDefault(client, 0L);
    }

    void pass(long nowMillis) {
        Count present = present();
        if (present != null && present.ours && present.ends < nowMillis) {
            present.became = Verdict.EXPIRED;
        }
    }

    private void end(Count count, Verdict became, boolean byRedisson) {
        count.became = became;
        count.byRedisson = byRedisson;
    }

    private static String generationOf(Count count) {
        return count.generation == 0 ? "1" : String.valueOf(count.generation);
    }

    /** Executes a command. {@return what it should do} */
    Expected run(LatchStep command, long nowMillis) {
        Count present = present();
        if (command.verb().isNumbered() && lastOf(command.client()) >= command.number()) {
            boolean same = lastOf(command.client()) == command.number();
            String known = results.getOrDefault(command.client(), "0");
            return new Expected(same || command.verb() == LatchVerb.COUNT_DOWN ? known : "0", List.of());
        }
        return switch (command.verb()) {
            case SET -> {
                if (present == null) {
                    counts.add(new Count(command.count(), true, nowMillis + command.life(), command.renewal()));
                } else {
                    renew(nowMillis);
                }
                yield noted(command, present == null ? "1" : "0", present == null ? List.of("1") : List.of());
            }
            case COUNT_DOWN -> countDown(command, nowMillis);
            case DELETE -> {
                if (present != null) {
                    end(present, present.ours ? Verdict.DELETED : Verdict.OPEN, false);
                }
                yield noted(command, present == null ? "0" : "1", present == null ? List.of() : List.of("1"));
            }
            case LOOK -> {
                renew(nowMillis);
                yield new Expected(null, List.of());
            }
            case REDISSON_SET -> {
                if (present == null) {
                    counts.add(new Count(command.count(), false, Long.MAX_VALUE, 0));
                }
                yield new Expected(null, present == null ? List.of("1") : List.of());
            }
            case REDISSON_COUNT_DOWN -> {
                if (present != null && --present.left == 0) {
                    end(present, Verdict.OPEN, true);
                    yield new Expected(null, List.of("0"));
                }
                yield new Expected(null, List.of());
            }
            case REDISSON_DELETE -> {
                if (present != null) {
                    end(present, Verdict.OPEN, true);
                }
                yield new Expected(null, present == null ? List.of() : List.of("1"));
            }
        };
    }

    private Expected countDown(LatchStep command, long nowMillis) {
        Count present = present();
        String result = "0";
        for (LatchStep.Down down : command.countdowns()) {
            if (lastOf(command.client()) >= down.number()) {
                continue;
            }
            last.put(command.client(), down.number());
            result = "0";
            if (present != null && present.left > 0 && isOf(present, down.generation())) {
                present.left -= down.by();
                result = generationOf(present);
            }
        }
        if (present != null && present.left <= 0) {
            end(present, Verdict.OPEN, false);
            return noted(command, result, List.of("0"));
        }
        renew(nowMillis);
        return noted(command, result, List.of());
    }

    /** {@return whether a countdown is for this count} Its generation is empty if it is new, and 1 if it had none. */
    private static boolean isOf(Count present, String generation) {
        return generation.length() < 2
                || present.generation == 0
                || generation.equals(String.valueOf(present.generation));
    }

    private void renew(long nowMillis) {
        Count present = present();
        if (present != null && present.renewal > 0) {
            present.ends = nowMillis + present.renewal;
        }
    }

    private Expected noted(LatchStep command, String result, List<String> messages) {
        last.put(command.client(), command.number());
        results.put(command.client(), result);
        return new Expected(result, messages);
    }
}
