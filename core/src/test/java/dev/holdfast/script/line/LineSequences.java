package dev.holdfast.script.line;

import dev.holdfast.script.line.LineCommand.Verb;
import dev.holdfast.script.line.LineRules.Arrival;
import dev.holdfast.script.line.LineRun.Node;
import dev.holdfast.script.line.LineState.Hold;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The sequences of commands that three clients and Redisson may send for one lock, with the events between them. The
 * first client has two owners. The third one has stopped to listen when its turn comes, or never listened.
 */
final class LineSequences {
    private static final String FIRST = LineChannel.FIRST + ":1";
    private static final String FIRST_TOO = LineChannel.FIRST + ":2";
    private static final String SECOND = LineChannel.SECOND + ":1";
    private static final String DEAF = LineChannel.DEAF + ":1";
    private static final String REDISSON = "redisson:1";

    private static final int MOST_HOLDS = 2;

    /** The lease that each command in its position requests: some shorter, some longer than those before. */
    private static final int[] LEASE_HOURS = {10, 4, 20, 2, 30};

    /** The other commands that may come first differ from these in their names only. */
    private static final List<LineCommand> FIRST_COMMANDS = List.of(
            LineCommand.of(Verb.ACQUIRE, FIRST, 1, 1, LEASE_HOURS[0]),
            LineCommand.of(Verb.JOIN, SECOND, 1, 1, LEASE_HOURS[0]),
            LineCommand.of(Verb.JOIN, DEAF, 1, 1, LEASE_HOURS[0]),
            LineCommand.of(Verb.REDISSON_LOCK, REDISSON, 0, 1, LEASE_HOURS[0]));

    private LineSequences() {}

    /**
     * Sends every sequence up to that length, and the same with any one command twice, or again at any later position.
     *
     * <p>What is sent after a command without an effect is not repeated for it, since it is the same as without that
     * command: the lock was seen to be as before.
     */
    static void all(LineRun run, int length) {
        extend(run, run.free(), length, false);
    }

    private static void extend(LineRun run, Node node, int more, boolean repeated) {
        if (run.hasFailed()) {
            return;
        }
        for (LineCommand command : node.path().isEmpty() ? FIRST_COMMANDS : legal(node)) {
            send(run, node, command, Arrival.IN_ORDER, more - 1, repeated);
        }
        if (!repeated) {
            int last = node.path().size() - 1;
            for (int i = 0; i <= last; i++) {
                LineCommand command = node.path().get(i);
                if (command.verb().mayComeAgain()) {
                    send(run, node, command, i == last ? Arrival.TWICE : Arrival.LATE, more, true);
                }
            }
        }
    }

    private static void send(LineRun run, Node node, LineCommand command, Arrival arrival, int more, boolean repeated) {
        boolean changes = command.verb() == Verb.PAUSE
                || !run.predict(node, command).state().equals(node.state());
        boolean continued = changes && more > 0;
        Node next = run.next(node, command, arrival, continued);
        if (continued) {
            extend(run, next, more, repeated);
            run.end(next);
        }
    }

    /** Sends one sequence of that length by chance, a third of it commands that come again. */
    static void byChance(LineRun run, int length, Random random) {
        Node node = run.free();
        for (int i = 0; i < length; i++) {
            List<LineCommand> again = new ArrayList<>(node.path());
            again.removeIf(command -> !command.verb().mayComeAgain());
            boolean late = !again.isEmpty() && random.nextInt(3) == 0;
            node = continued(run, node, late ? Arrival.LATE : Arrival.IN_ORDER, late ? again : legal(node), random);
        }
        run.end(node);
    }

    /** Sends one sequence of that length, in which clients join and leave the line of a lock that is not released. */
    static void comingAndGoing(LineRun run, int length, Random random) {
        LineCommand held = LineCommand.of(Verb.REDISSON_LOCK, REDISSON, 0, 1, LEASE_HOURS[0]);
        Node node = run.next(run.free(), held, Arrival.IN_ORDER, true);
        for (int i = 0; i < length; i++) {
            List<LineCommand> legal = legal(node);
            long last = node.path().size();
            legal.removeIf(
                    command -> command.verb() == Verb.RELEASE ? command.tenure() > last : command.verb() != Verb.JOIN);
            node = continued(run, node, Arrival.IN_ORDER, legal, random);
        }
        run.end(node);
    }

    private static Node continued(LineRun run, Node node, Arrival arrival, List<LineCommand> commands, Random random) {
        Node next = run.next(node, commands.get(random.nextInt(commands.size())), arrival, true);
        run.end(node);
        return next;
    }

    private static List<LineCommand> legal(Node node) {
        List<LineCommand> next = new ArrayList<>();
        LineState state = node.state();
        long fresh = node.path().size() + 1L;
        int hours = LEASE_HOURS[node.path().size() % LEASE_HOURS.length];
        for (String owner : List.of(FIRST, SECOND)) {
            next.add(LineCommand.of(Verb.ACQUIRE, owner, fresh, 1, hours));
        }
        for (String owner : List.of(FIRST, FIRST_TOO, SECOND, DEAF)) {
            LineCommand join = LineCommand.of(Verb.JOIN, owner, fresh, 1, hours);
            next.add(join);
            if (owner.equals(DEAF)) {
                next.add(join.on(LineChannel.FORMER));
            } else if (owner.equals(SECOND) && !state.isFree() && !state.hasLine()) {
                next.add(join.on(LineChannel.CROWDED));
            }
            addReleases(next, node, owner, fresh);
        }
        Hold hold = state.hold();
        if (hold.tenure() > 0) {
            next.add(LineCommand.of(Verb.RENEW, hold.owner(), hold.tenure(), 0, hours));
            if (hold.holds() < MOST_HOLDS) {
                next.add(LineCommand.of(Verb.ACQUIRE, hold.owner(), hold.tenure(), hold.holds() + 1, hours));
            }
        }
        if (hold.client().equals(LineChannel.FIRST)) {
            String other = hold.isOf(FIRST) ? FIRST_TOO : FIRST;
            next.add(LineCommand.handoff(hold, other, fresh, hours));
        }
        addEvents(next, node, hours);
        return next;
    }

    /**
     * An owner releases the newest tenure that it has requested, whether it holds the lock, waits, or knows of neither;
     * or a newer one, whose acquire had no effect.
     */
    private static void addReleases(List<LineCommand> next, Node node, String owner, long fresh) {
        next.add(LineCommand.of(Verb.RELEASE, owner, fresh, 0, 0));
        long tenure = node.path().stream()
                .filter(command -> command.owner().equals(owner))
                .filter(command -> command.verb().acquires() || command.verb() == Verb.HANDOFF)
                .mapToLong(LineCommand::tenure)
                .max()
                .orElse(0);
        if (tenure == 0) {
            return;
        }
        LineCommand release = LineCommand.of(Verb.RELEASE, owner, tenure, 0, 0);
        next.add(release);
        Hold hold = node.state().hold();
        if (hold.isOf(owner) && hold.tenure() == tenure) {
            if (hold.holds() > 1) {
                next.add(LineCommand.of(Verb.RELEASE, owner, tenure, hold.holds() - 1, 0));
            }
            if (!node.state().line().isEmpty()) {
                next.add(release.on(LineChannel.CROWDED));
            }
        }
    }

    private static void addEvents(List<LineCommand> next, Node node, int hours) {
        LineState state = node.state();
        if (state.hold().isOf(REDISSON)) {
            next.add(LineCommand.of(Verb.REDISSON_UNLOCK, REDISSON, 0, 0, 0));
        } else {
            next.add(LineCommand.of(Verb.REDISSON_LOCK, REDISSON, 0, 1, hours));
        }
        next.add(LineCommand.event(Verb.FORCE_UNLOCK));
        if (!state.isFree()) {
            next.add(LineCommand.event(Verb.EXPIRE));
        }
        boolean crowded = node.path().stream().anyMatch(command -> command.verb() == Verb.CROWD);
        boolean paused = node.path().stream().anyMatch(command -> command.verb() == Verb.PAUSE);
        if (!state.line().isEmpty() && !crowded) {
            next.add(LineCommand.event(Verb.CROWD));
            if (!paused) {
                next.add(LineCommand.event(Verb.PAUSE));
            }
        }
    }
}
