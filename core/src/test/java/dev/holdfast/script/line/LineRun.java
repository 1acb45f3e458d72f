package dev.holdfast.script.line;

import dev.holdfast.Patience;
import dev.holdfast.script.line.LineRules.Arrival;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Sends commands, many at a time, and judges what each has done when its reply arrives. */
final class LineRun {
    private static final int MOST_FAULTS = 3;

    /** How many replies may be outstanding. */
    private static final int WINDOW = 500;

    /** When each sequence begins, in microseconds. */
    private static final long START = 1_700_000_000_000_000L;

    private final LineScripts.Loaded scripts;
    private final LineModel model;
    private final List<Judge> judges;
    private final String id = UUID.randomUUID().toString();
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();
    private final Set<LineOutcome> outcomes = ConcurrentHashMap.newKeySet();
    private List<CompletableFuture<?>> outstanding = new ArrayList<>();
    private long sent;

    /** Runs these scripts, and collects the faults that any of the judges finds. */
    LineRun(LineScripts.Loaded scripts, Judge... judges) {
        this.scripts = scripts;
        this.model = new LineModel(scripts.kind());
        this.judges = List.of(judges);
    }

    /**
     * A lock after some commands.
     *
     * @param path the commands, as they came
     * @param now when the last one came
     */
    record Node(String lock, List<LineCommand> path, LineState state, long now, CompletableFuture<LineSeen> seen) {}

    /** One command: the states before it and after it, as predicted and as seen. */
    record Step(
            LineState before,
            LineSeen seenBefore,
            LineCommand command,
            Arrival arrival,
            LineEffect predicted,
            LineSeen seen,
            LineKind kind) {}

    /** Finds what is wrong with a step. */
    interface Judge {
        List<String> faults(Step step);
    }

    /** {@return a free lock} */
    Node free() {
        return new Node(id, List.of(), LineState.FREE, START, CompletableFuture.completedFuture(LineSeen.NOTHING));
    }

    /** Predicts the effect of a command. */
    LineEffect predict(Node before, LineCommand command) {
        return model.effect(before.state(), command, before.now() + command.elapsed());
    }

    /**
     * Sends one more command.
     *
     * @param keep whether others follow it, and {@link #end} after these
     */
    Node next(Node before, LineCommand command, Arrival arrival, boolean keep) {
        List<LineCommand> path = new ArrayList<>(before.path());
        path.add(command);
        long now = before.now() + command.elapsed();
        LineEffect predicted = predict(before, command);
        String copy = id + " " + sent++;
        CompletableFuture<LineSeen> seen = scripts.send(before.lock(), copy, keep, command, now)
                .thenCombine(before.seen(), (raw, seenBefore) -> LineSeen.read(scripts.kind(), seenBefore, raw));
        outstanding.add(seen.thenAcceptBoth(
                before.seen(),
                (after, seenBefore) -> judge(
                        path,
                        new Step(before.state(), seenBefore, command, arrival, predicted, after, scripts.kind()))));
        if (outstanding.size() >= WINDOW) {
            await();
        }
        return new Node(copy, path, predicted.state(), now, seen);
    }

    private void judge(List<LineCommand> path, Step step) {
        List<String> wrong = new ArrayList<>(step.seen().faults());
        judges.forEach(judge -> wrong.addAll(judge.faults(step)));
        if (wrong.isEmpty()) {
            outcomes.addAll(LineOutcome.of(step.seenBefore().state(), step.command(), step.seen()));
        } else if (faults.size() < MOST_FAULTS) {
            faults.add(step.arrival() + " in " + path + ": " + wrong);
        }
    }

    /** Deletes the lock of a node after which nothing more is sent. */
    void end(Node node) {
        outstanding.add(scripts.delete(node.lock()));
    }

    private void await() {
        scripts.flush();
        List<CompletableFuture<?>> all = outstanding;
        outstanding = new ArrayList<>();
        all.forEach(Patience::get);
    }

    /** {@return whether a fault was found already} */
    boolean hasFailed() {
        return !faults.isEmpty();
    }

    /** {@return what was wrong: the first faults only} */
    List<String> faults() {
        await();
        return List.copyOf(faults);
    }

    /** {@return what has happened to lines} */
    Set<LineOutcome> outcomes() {
        await();
        return Set.copyOf(outcomes);
    }

    /** {@return how many commands were sent} */
    long sent() {
        return sent;
    }
}
