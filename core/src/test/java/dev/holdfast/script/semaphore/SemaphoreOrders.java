package dev.holdfast.script.semaphore;

import dev.holdfast.Patience;
import dev.holdfast.script.TimedScripts.Setting;
import dev.holdfast.script.semaphore.SemaphoreScripts.Effect;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A few commands, each of which comes twice, in every order of all of them: so each comes also late, and behind any other.
 * What has the same fields, and the same commands before it, is tried once.
 */
final class SemaphoreOrders {
    private static final int TIMES = 2;
    private static final long START = 1_700_000_000_000_000L;

    private final SemaphoreScripts scripts;
    private final SemaphoreScripts.Loaded loaded;
    private final Commands commands;
    private int states;

    /** Commands, and the milliseconds between two of them. */
    enum Commands {
        TWO_LIMITS(
                0,
                acquire("a:1", 1, 2, 3, 60_000),
                acquire("b:1", 2, 2, 3, 60_000),
                acquire("d:1", 3, 1, 2, 60_000),
                SemaphoreCommand.release("a:1", 1),
                SemaphoreCommand.release("b:1", 2)),
        ATTEMPTS_OF_ONE_OWNER(
                0,
                acquire("a:1", 1, 2, 3, 60_000),
                acquire("a:1", 3, 2, 3, 60_000),
                SemaphoreCommand.release("a:1", 3),
                acquire("b:1", 2, 3, 3, 60_000),
                SemaphoreCommand.release("b:1", 2)),
        OWNERS_OF_ONE_CLIENT(
                0,
                acquire("b:1", 1, 3, 3, 60_000),
                acquire("a:1", 2, 3, 3, 60_000),
                acquire("a:2", 3, 1, 4, 60_000),
                SemaphoreCommand.release("a:1", 2),
                SemaphoreCommand.release("b:1", 1)),
        LEASES_THAT_END(
                25,
                acquire("a:1", 1, 2, 3, 40),
                SemaphoreCommand.renew("a:1", 1, 60),
                acquire("b:1", 2, 2, 2, 40),
                SemaphoreCommand.release("b:1", 2)),
        A_DELAYED_CLOSE(
                25,
                acquire("a:1", 1, 2, 3, 60),
                SemaphoreCommand.closeAfter("a:1", 1, 4, 30),
                acquire("b:1", 2, 2, 2, 40),
                SemaphoreCommand.release("a:1", 1)),
        A_CLIENT_THAT_DOES_NOT_LISTEN(
                10,
                acquire("a:1", 1, 2, 3, 60),
                acquire("c:1", 2, 2, 3, 60),
                SemaphoreCommand.acquire("b:1", 3, 1, 3, 60, false),
                SemaphoreCommand.release("a:1", 1));

        private final int millis;

        @SuppressWarnings("ImmutableEnumChecker") // of records
        private final List<SemaphoreCommand> commands;

        Commands(int millis, SemaphoreCommand... commands) {
            this.millis = millis;
            this.commands = List.of(commands);
        }

        private static SemaphoreCommand acquire(String owner, long tenure, long permits, long limit, long lease) {
            return SemaphoreCommand.acquire(owner, tenure, permits, limit, lease, true);
        }
    }

    /** A semaphore, and how often each command is still to come. */
    private record Reached(Map<String, String> fields, long expires, List<Integer> left) {}

    private record Sent(Reached from, int index, CompletableFuture<Effect> effect) {}

    SemaphoreOrders(SemaphoreScripts scripts, SemaphoreScripts.Loaded loaded, Commands commands) {
        this.scripts = scripts;
        this.loaded = loaded;
        this.commands = commands;
    }

    /** {@return how many states were reached} */
    int states() {
        return states;
    }

    /** {@return what was wrong with the first command that broke a rule; empty if none did} */
    List<String> run() {
        List<Integer> all = Collections.nCopies(commands.commands.size(), TIMES);
        Map<Reached, String> layer = Map.of(new Reached(Map.of(), -2, all), "");
        for (int depth = 0; !layer.isEmpty(); depth++) {
            Setting setting = new Setting(START + 1000L * depth * commands.millis, listening(), List.of());
            Map<Reached, String> next = new LinkedHashMap<>();
            for (Sent sent : send(layer, setting)) {
                SemaphoreCommand command = commands.commands.get(sent.index());
                Effect effect = Patience.get(sent.effect());
                SemaphoreState from =
                        new SemaphoreState(sent.from().expires(), sent.from().fields());
                boolean expired = from.expires < setting.nowMicros() / 1000;
                SemaphoreState before = expired ? SemaphoreState.FREE : from;
                String way = layer.getOrDefault(sent.from(), "") + "\n" + command + " -> " + effect.reply() + " "
                        + effect.after();
                List<String> faults = SemaphoreRules.faults(new SemaphoreStep(before, command, setting, effect));
                if (!faults.isEmpty()) {
                    return List.of(faults + way);
                }
                next.put(after(sent, effect), way);
            }
            states += next.size();
            layer = next;
        }
        return List.of();
    }

    private List<Sent> send(Map<Reached, String> layer, Setting setting) {
        List<Sent> sent = new ArrayList<>();
        for (Reached reached : layer.keySet()) {
            for (int i = 0; i < reached.left().size(); i++) {
                if (reached.left().get(i) > 0) {
                    scripts.restore(new SemaphoreState(reached.expires(), reached.fields()));
                    sent.add(new Sent(reached, i, loaded.send(commands.commands.get(i), setting, "PUBLISH")));
                }
            }
        }
        return sent;
    }

    private static Reached after(Sent sent, Effect effect) {
        List<Integer> left = new ArrayList<>(sent.from().left());
        left.set(sent.index(), left.get(sent.index()) - 1);
        return new Reached(effect.after().fields, effect.after().expires, left);
    }

    private static List<String> listening() {
        List<String> channels = new ArrayList<>();
        for (String client : List.of("a", "b", "d")) {
            channels.addAll(
                    List.of(SemaphoreCommand.grantChannel(client), SemaphoreCommand.LINE, SemaphoreCommand.CHANNEL));
        }
        return channels;
    }
}
