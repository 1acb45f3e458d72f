package dev.holdfast.script.condition;

import dev.holdfast.script.TimedScripts.Effect;
import dev.holdfast.script.TimedScripts.Kept;
import dev.holdfast.script.TimedScripts.Message;
import dev.holdfast.script.TimedScripts.Setting;
import dev.holdfast.script.condition.WaitSetCommand.Signal;
import dev.holdfast.script.condition.WaitSetCommand.Verb;
import dev.holdfast.script.condition.WaitSetCommand.Wait;
import dev.holdfast.script.condition.WaitSetModel.Expected;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Commands by chance of five clients with three owners each, for three conditions: one client is never subscribed, one stops to be and
 * begins again, all may die by time. A quarter of the commands come twice, or again after later ones. After each of them the wait sets,
 * the reply and the messages are those of the model.
 */
final class WaitSetSequences {
    private static final List<String> CLIENTS = List.of("a", "b", "c", "d", "e");
    private static final List<String> CONDITIONS = List.of("not full", "not empty", "");
    private static final List<Long> LEASES = List.of(40L, 1000L, 1000L, 30_000L);
    private static final List<Integer> STEPS = List.of(0, 0, 1, 1, 5, 20);
    private static final List<String> REFUSABLE = List.of("TIME", "PTTL", "PEXPIRE", "PUBSUB", "PUBLISH", "SPUBLISH");
    private static final int REMEMBERED = 40;

    private final WaitSetScripts scripts;
    private final WaitSetScripts.Loaded loaded;
    private final Random random;
    private final boolean refusals;
    private final Map<Verb, Integer> effective;
    private final String publish;
    private final boolean counted;
    private final List<WaitSetCommand> past = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();

    private WaitSetModel model = new WaitSetModel();
    private Kept kept = new Kept(-2, "", Map.of());
    private String holder = "a:1";
    private long tenure = 1;
    private long numbers = 1;
    private long now = 1_700_000_000_000_000L;
    private boolean listensD = true;

    WaitSetSequences(
            WaitSetScripts scripts,
            WaitSetScripts.Loaded loaded,
            Random random,
            boolean refusals,
            Map<Verb, Integer> effective) {
        this.scripts = scripts;
        this.loaded = loaded;
        this.random = random;
        this.refusals = refusals;
        this.effective = effective;
        this.publish = random.nextBoolean() ? "PUBLISH" : "SPUBLISH";
        this.counted = random.nextInt(3) > 0;
    }

    /** {@return how often commands have changed the wait sets} */
    static Map<Verb, Integer> counts() {
        return new EnumMap<>(Verb.class);
    }

    /** Sends so many commands. {@return what was wrong with the first that broke a rule; empty if none did} */
    List<String> run(int length) {
        List<String> faults = new ArrayList<>();
        for (int i = 0; i < length && faults.isEmpty(); i++) {
            pass();
            WaitSetCommand command = next();
            if (refusals) {
                faults.addAll(refused(command));
            }
            faults.addAll(send(command));
            if (faults.isEmpty() && random.nextInt(6) == 0) {
                faults.addAll(send(command));
            }
        }
        if (faults.isEmpty()) {
            faults.addAll(end());
        }
        if (!faults.isEmpty()) {
            faults.addAll(trace);
        }
        return faults;
    }

    /** When all have left, and all clients are done, nothing stays. */
    private List<String> end() {
        List<String> faults = new ArrayList<>();
        for (Wait wait : model.waits()) {
            faults.addAll(send(WaitSetCommand.leave(wait)));
        }
        for (String client : CLIENTS) {
            faults.addAll(send(WaitSetCommand.watch(client, 0, List.of())));
        }
        if (!kept.fields().isEmpty()) {
            faults.add("something stays: " + kept);
        }
        return faults;
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private void pass() {
        long millis = any(STEPS);
        if (random.nextInt(40) == 0) {
            millis = any(List.of(500, 1100, 2100, 70_000));
        }
        now += 1000 * millis + random.nextInt(1000);
        if (random.nextInt(20) == 0) {
            listensD = !listensD;
        }
    }

    private List<String> listening() {
        Stream<String> subscribed =
                CLIENTS.stream().filter(client -> client.equals("d") ? listensD : !client.equals("c"));
        return subscribed.map(WaitSetCommand::channelOf).toList();
    }

    // --- The commands.

    private WaitSetCommand next() {
        if (!past.isEmpty() && random.nextInt(8) == 0) {
            return any(past);
        }
        WaitSetCommand command = fresh(random.nextInt(100));
        past.add(command);
        if (past.size() > REMEMBERED) {
            past.remove(0);
        }
        return command;
    }

    private WaitSetCommand fresh(int choice) {
        List<Wait> waits = model.waits();
        if (choice < 70) {
            holder = any(CLIENTS) + ":" + random.nextInt(3);
            tenure = ++numbers;
            boolean isWaiting = choice < 45;
            return WaitSetCommand.part(
                    holder, tenure, isWaiting ? tenure : 0, any(CONDITIONS), any(LEASES), signals(isWaiting));
        }
        if (choice < 82 && !waits.isEmpty()) {
            Wait wait = any(waits);
            return WaitSetCommand.leave(new Wait(wait.owner(), wait.ticket() - (random.nextInt(5) == 0 ? 1 : 0)));
        }
        if (choice < 98) {
            String client = any(CLIENTS);
            List<Wait> own = waits.stream()
                    .filter(wait -> wait.client().equals(client))
                    .map(wait -> random.nextInt(6) == 0 ? new Wait(wait.owner(), wait.ticket() + 1) : wait)
                    .toList();
            return WaitSetCommand.watch(client, own.isEmpty() && random.nextBoolean() ? 0 : any(LEASES), own);
        }
        return WaitSetCommand.rouse();
    }

    private List<Signal> signals(boolean isWaiting) {
        List<Signal> signals = new ArrayList<>();
        for (int i = isWaiting ? random.nextInt(4) - 2 : random.nextInt(3); i >= 0; i--) {
            signals.add(new Signal(any(CONDITIONS), random.nextInt(8) == 0));
        }
        return signals;
    }

    // --- What they do.

    private Setting setting(List<String> refused) {
        return new Setting(now, listening(), refused);
    }

    /** The command by a user without one or two rights, after which all is made as it was. */
    private List<String> refused(WaitSetCommand command) {
        List<String> missing = List.of(any(REFUSABLE), any(REFUSABLE));
        scripts.restore(kept, holder, tenure);
        Effect effect = loaded.run(command, setting(missing), publish, counted);
        List<String> faults = new ArrayList<>();
        Kept after = conditions(effect);
        WaitSetModel unused = WaitSetModel.of(after.expires(), after.fields(), faults);
        if (after.expires() == -1) {
            faults.add("the key has no expiry");
        }
        if (!faults.isEmpty()) {
            faults.add(command + " without " + missing + ": " + effect.reply() + " " + unused);
        }
        return faults;
    }

    private static Kept conditions(Effect effect) {
        return effect.keys().get(effect.keys().size() - 1);
    }

    private List<String> send(WaitSetCommand command) {
        model.pass(now / 1000);
        WaitSetModel before = model.copy();
        scripts.restore(kept, holder, tenure);
        boolean holds = command.owner().equals(holder) && command.tenure() == tenure;
        Expected expected = model.run(command, holds, setting(List.of()), counted);
        Effect effect = loaded.run(command, setting(List.of()), publish, counted);
        kept = conditions(effect);
        List<String> faults = new ArrayList<>();
        WaitSetModel seen = WaitSetModel.of(kept.expires(), kept.fields(), faults);
        List<String> messages = effect.messages().stream()
                .map(message -> message.channel() + " " + message.text())
                .sorted()
                .toList();
        require("wait sets", seen.toString(), model.toString(), faults);
        require("reply", effect.reply(), expected.reply(), faults);
        require("messages", messages, expected.messages(), faults);
        effect.messages().stream()
                .map(Message::command)
                .filter(word -> !word.equals(publish))
                .forEach(word -> faults.add("published by " + word));
        trace.add("\n" + now + " " + command + " -> " + effect.reply() + " " + messages + " " + seen);
        if (trace.size() > 12) {
            trace.remove(0);
        }
        if (!model.toString().equals(before.toString())) {
            effective.merge(command.verb(), 1, Integer::sum);
        }
        return faults;
    }

    private static void require(String what, Object seen, Object expected, List<String> faults) {
        if (!seen.equals(expected)) {
            faults.add("the " + what + " must be " + expected + ", not " + seen);
        }
    }
}
