package dev.holdfast.script.latch;

import dev.holdfast.internal.latch.LatchState;
import dev.holdfast.internal.latch.LatchState.How;
import dev.holdfast.internal.latch.LatchState.Verdict;
import dev.holdfast.script.latch.LatchModel.Count;
import dev.holdfast.script.latch.LatchModel.Expected;
import dev.holdfast.script.latch.LatchScriptRuns.Effect;
import dev.holdfast.script.latch.LatchScriptRuns.Kept;
import dev.holdfast.script.latch.LatchStep.Down;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Commands by chance of three clients and of Redisson for one latch, with time between them. A third of them come twice, or
 * again after later ones. From time to time a failover takes the latch back to an earlier state, and each client repeats its
 * countdowns. Callers of three kinds await it: they look at each step, at a few, or seldom.
 *
 * <p>The rules:
 *
 * <ul>
 *   <li>The count, the replies and the messages are those of {@link LatchModel}.
 *   <li>A caller gets the verdict that became of the count that it has found first, and keeps waiting until then.
 *   <li>A count of ours and the record have expiries, the record's ten minutes later while there is such a count.
 *   <li>A command that is refused in part changes nothing, or is executed.
 * </ul>
 */
final class LatchSequences {
    private static final List<String> CLIENTS = List.of("a", "b", "c");
    private static final List<Long> LIFETIMES = List.of(0L, 0L, 40L, 400L);
    private static final List<Integer> STEPS = List.of(0, 0, 0, 1, 3, 20, 90);
    private static final List<String> REFUSABLE =
            List.of("HMGET", "HSET", "HDEL", "PTTL", "PEXPIRE", "DEL", "TIME", "GET", "SET", "PUBLISH");
    private static final long KEPT = 600_000;
    private static final int REMEMBERED = 40;

    /** A caller that waits. */
    private static final class Caller {
        final int everySteps;

        @Nullable
        Count count;

        long awaited = -1;

        Caller(int everySteps) {
            this.everySteps = everySteps;
        }
    }

    private final LatchScriptRuns scripts;
    private final LatchScriptRuns.Loaded loaded;
    private final Random random;
    private final boolean withRedisson;
    private final boolean failovers;
    private final boolean refusals;
    private final List<LatchStep> past = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private final List<Caller> callers = List.of(new Caller(1), new Caller(4), new Caller(15));

    private LatchModel model = new LatchModel();
    private Kept kept = Kept.NOTHING;
    private long now = 1_700_000_000_000_000L;
    private long number;

    // What a failover goes back to, and the countdowns that were acknowledged since.
    private LatchModel modelBefore = new LatchModel();
    private Kept keptBefore = Kept.NOTHING;
    private final List<LatchStep> acknowledged = new ArrayList<>();

    LatchSequences(
            LatchScriptRuns scripts,
            LatchScriptRuns.Loaded loaded,
            Random random,
            boolean withRedisson,
            boolean failovers,
            boolean refusals) {
        this.scripts = scripts;
        this.loaded = loaded;
        this.random = random;
        this.withRedisson = withRedisson;
        this.failovers = failovers;
        this.refusals = refusals;
    }

    /** Sends so many commands. {@return what was wrong with the first that broke a rule; empty if none did} */
    List<String> run(int length) {
        scripts.restore(kept);
        for (int i = 0; i < length; i++) {
            now += 1000L * any(STEPS) + random.nextInt(1000);
            model.pass(now / 1000);
            List<String> faults = new ArrayList<>();
            if (failovers && random.nextInt(30) == 0) {
                faults.addAll(failover());
            }
            LatchStep command = next();
            if (refusals) {
                faults.addAll(refused(command));
            }
            faults.addAll(send(command));
            if (command.verb().isNumbered() && random.nextInt(6) == 0) {
                faults.addAll(send(command));
            }
            faults.addAll(look(i));
            if (!faults.isEmpty()) {
                faults.addAll(trace);
                return faults;
            }
        }
        return List.of();
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    // --- The commands.

    private LatchStep next() {
        if (!past.isEmpty() && random.nextInt(5) == 0) {
            return any(past);
        }
        LatchStep command = fresh();
        if (command.verb().isNumbered()) {
            past.add(command);
            if (past.size() > REMEMBERED) {
                past.remove(0);
            }
        }
        return command;
    }

    private LatchStep fresh() {
        int choice = random.nextInt(100);
        String client = any(CLIENTS);
        if (withRedisson && choice < 25) {
            return LatchStep.of(
                    choice < 8
                            ? LatchVerb.REDISSON_SET
                            : choice < 22 ? LatchVerb.REDISSON_COUNT_DOWN : LatchVerb.REDISSON_DELETE,
                    "",
                    0);
        }
        if (choice < 50) {
            return LatchStep.set(client, ++number, 1 + random.nextInt(4), any(LIFETIMES));
        }
        if (choice < 92) {
            return LatchStep.countDown(client, List.of(new Down(++number, 1 + random.nextInt(2), "")));
        }
        return choice < 97 ? LatchStep.of(LatchVerb.DELETE, client, ++number) : LatchStep.of(LatchVerb.LOOK, "", 0);
    }

    // --- What they do.

    private List<String> send(LatchStep command) {
        Kept before = kept.at(now / 1000);
        boolean isNew = command.number() > model.lastOf(command.client());
        Expected expected = model.run(command, now / 1000);
        Effect effect = loaded.run(command, now, List.of());
        kept = effect.after();
        trace.add("\n" + now + " " + command + " -> " + effect);
        if (trace.size() > 60) {
            trace.remove(0);
        }
        List<String> faults = new ArrayList<>(faultsOfKeys());
        if (kept.number() != model.left()) {
            faults.add("the count should be " + model.left());
        }
        if (!effect.messages().equals(expected.messages())) {
            faults.add("the messages should be " + expected.messages());
        }
        if (expected.result() != null) {
            long last = model.lastOf(command.client());
            if (!effect.reply().equals(List.of(last, expected.result()))) {
                faults.add("the reply should be " + last + ", " + expected.result());
            }
        }
        Count present = model.present();
        if (command.verb() == LatchVerb.SET && isNew && "1".equals(expected.result()) && present != null) {
            present.generation = Long.parseLong(kept.generation());
            if (present.generation <= Long.parseLong(before.generation())) {
                faults.add("the generation should be larger than " + before.generation());
            }
        }
        if (command.verb() == LatchVerb.COUNT_DOWN && isNew && !"0".equals(expected.result())) {
            acknowledged.add(LatchStep.countDown(
                    command.client(),
                    command.countdowns().stream()
                            .map(down -> new Down(down.number(), down.by(), String.valueOf(expected.result())))
                            .toList()));
        }
        return faults;
    }

    private List<String> faultsOfKeys() {
        List<String> faults = new ArrayList<>();
        Count present = model.present();
        if (kept.recordEnds() == -1) {
            faults.add("the record has no expiry");
        }
        if (kept.recordEnds() > now / 1000 + KEPT + LatchStep.RENEWED) {
            faults.add("the record lives too long");
        }
        if (present != null && present.ours) {
            if (kept.countEnds() != present.ends) {
                faults.add("the count should expire at " + present.ends);
            }
            if (kept.recordEnds() != present.ends + KEPT) {
                faults.add("the record should live for ten minutes longer");
            }
        }
        if (present != null && !present.ours && kept.countEnds() != -1) {
            faults.add("a count of Redisson should have no expiry");
        }
        return faults;
    }

    /** The same command by a user without one or two rights. */
    private List<String> refused(LatchStep command) {
        if (command.verb().isRedissons()) {
            return List.of();
        }
        List<String> missing = List.of(any(REFUSABLE), any(REFUSABLE));
        Kept before = kept.at(now / 1000);
        Effect effect = loaded.run(command, now, missing);
        List<String> faults = new ArrayList<>();
        Kept after = effect.after();
        if (after.recordEnds() == -1) {
            faults.add("the record has no expiry");
        }
        if (effect.isError()
                && !(after.count().equals(before.count())
                        && after.countEnds() == before.countEnds()
                        && isRestored(before.recordEnds(), after.recordEnds())
                        && after.record().equals(before.record()))) {
            faults.add("what was refused has changed something");
        }
        if (!effect.isError()
                && missing.contains("PUBLISH") == false
                && effect.reply().size() == 3) {
            faults.add("nothing was refused");
        }
        scripts.restore(before);
        kept = before;
        return faults.isEmpty()
                ? faults
                : new ArrayList<>(List.of(faults + " " + command + " without " + missing + ": " + effect));
    }

    /** {@return whether a key expires as before, or in two milliseconds if it had less left} */
    private boolean isRestored(long before, long after) {
        return after == before || (before >= 0 && after == Math.max(before, now / 1000 + 2));
    }

    /** The latch is as it was some time ago, and each client repeats what it has counted down since. */
    private List<String> failover() {
        model = modelBefore.copy();
        kept = keptBefore;
        scripts.restore(kept);
        trace.add("\nfailover to " + kept);
        model.pass(now / 1000);
        // Callers begin again: what became of a count that was lost is not known.
        callers.forEach(caller -> caller.count = null);
        past.clear();
        List<String> faults = new ArrayList<>();
        List<LatchStep> repeated = List.copyOf(acknowledged);
        acknowledged.clear();
        for (String client : CLIENTS) {
            List<Down> downs = repeated.stream()
                    .filter(step -> step.client().equals(client))
                    .flatMap(step -> step.countdowns().stream())
                    .toList();
            if (!downs.isEmpty()) {
                faults.addAll(send(LatchStep.countDown(client, downs)));
            }
        }
        modelBefore = model.copy();
        keptBefore = kept;
        return faults;
    }

    // --- The callers.

    private List<String> look(int step) {
        List<String> faults = new ArrayList<>();
        if (random.nextInt(20) == 0) {
            modelBefore = model.copy();
            keptBefore = kept;
            acknowledged.clear();
        }
        for (Caller caller : callers) {
            if (step % caller.everySteps != 0) {
                continue;
            }
            faults.addAll(send(LatchStep.of(LatchVerb.LOOK, "", 0)));
            LatchState seen = lastLook();
            Count present = model.present();
            if (caller.count == null) {
                caller.count = present;
                caller.awaited = seen.present();
                if (seen.count() != model.left()) {
                    faults.add("a first look shows " + seen);
                }
                continue;
            }
            Verdict verdict = seen.verdict(caller.awaited);
            if (!allowed(caller.count, caller.awaited).contains(verdict)) {
                faults.add("the verdict about " + caller.awaited + " is " + verdict + " and should be "
                        + allowed(caller.count, caller.awaited) + " by " + seen);
            }
            if (verdict != Verdict.WAIT) {
                caller.count = null;
            }
        }
        return faults;
    }

    /** {@return what a caller that awaits this count may get} */
    private List<Verdict> allowed(Count awaited, long generation) {
        Count present = model.present();
        if (generation == 0) {
            // Redisson's, which are open by zero alone.
            return List.of(present == null ? Verdict.OPEN : Verdict.WAIT);
        }
        List<Verdict> allowed = new ArrayList<>(List.of(awaited.became));
        if (awaited.byRedisson && awaited.ends < now / 1000) {
            allowed.add(Verdict.EXPIRED);
        }
        // A later count that is gone hides whether an earlier one was opened; and which of several was the last.
        int at = model.counts().indexOf(awaited);
        for (Count later : model.counts().subList(at, model.counts().size())) {
            if (later != awaited && later.ours && later.became != Verdict.WAIT && awaited.became != Verdict.WAIT) {
                if (later.became != Verdict.OPEN) {
                    allowed.add(later.became);
                } else if (later.byRedisson && later.ends < now / 1000) {
                    allowed.add(Verdict.EXPIRED);
                }
            }
        }
        return allowed;
    }

    private LatchState lastLook() {
        Effect effect = loaded.run(LatchStep.of(LatchVerb.LOOK, "", 0), now, List.of());
        List<Object> reply = effect.reply();
        return new LatchState(
                (Long) reply.get(0),
                how(reply.get(1)),
                Long.parseLong(reply.get(2).toString()),
                Long.parseLong(reply.get(3).toString()),
                how(reply.get(4)),
                Long.parseLong(reply.get(5).toString()));
    }

    private static How how(Object word) {
        return How.valueOf(word.toString().toUpperCase(Locale.ROOT));
    }
}
