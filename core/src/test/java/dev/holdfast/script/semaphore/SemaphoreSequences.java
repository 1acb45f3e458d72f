package dev.holdfast.script.semaphore;

import dev.holdfast.Patience;
import dev.holdfast.script.TimedScripts.Setting;
import dev.holdfast.script.semaphore.SemaphoreCommand.Verb;
import dev.holdfast.script.semaphore.SemaphoreScripts.Effect;
import dev.holdfast.script.semaphore.SemaphoreState.Entry;
import dev.holdfast.script.semaphore.SemaphoreState.Hold;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Commands by chance of five clients for one semaphore, with two limits, and with time between them. Client c never listens;
 * client d stops to listen, and begins again. A third of the commands come twice, or again after later ones.
 */
final class SemaphoreSequences {
    private static final List<String> CLIENTS = List.of("a", "b", "c", "d", "e");
    private static final List<Integer> LEASES = List.of(40, 200, 1000, 70_000);
    private static final List<Integer> STEPS = List.of(0, 0, 0, 1, 1, 3, 16, 45);
    private static final int REMEMBERED = 60;

    /** The larger one of two limits. */
    private static final int LARGEST = 5;

    private static final List<String> REFUSABLE = List.of(
            "HGET",
            "HMGET",
            "HGETALL",
            "HSET",
            "HDEL",
            "PTTL",
            "PEXPIRE",
            "DEL",
            "TIME",
            "PUBSUB",
            "PUBLISH",
            "SPUBLISH");

    private final SemaphoreScripts scripts;
    private final SemaphoreScripts.Loaded loaded;
    private final Random random;
    private final boolean refusals;
    private final String publish;
    private final List<Integer> limits;
    private final Map<Verb, Integer> effective;
    private final List<SemaphoreCommand> past = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();

    private SemaphoreState state = SemaphoreState.FREE;
    private long now = 1_700_000_000_000_000L;
    private long tenure;
    private boolean listensD = true;

    SemaphoreSequences(
            SemaphoreScripts scripts,
            SemaphoreScripts.Loaded loaded,
            Random random,
            boolean refusals,
            Map<Verb, Integer> effective) {
        this.scripts = scripts;
        this.loaded = loaded;
        this.random = random;
        this.refusals = refusals;
        this.publish = random.nextBoolean() ? "PUBLISH" : "SPUBLISH";
        this.limits = random.nextInt(3) == 0 ? List.of(4) : List.of(3, LARGEST);
        this.effective = effective;
    }

    /** {@return how often commands have changed the semaphore} */
    static Map<Verb, Integer> counts() {
        return new EnumMap<>(Verb.class);
    }

    /** Sends so many commands. {@return what was wrong with the first that broke a rule; empty if none did} */
    List<String> run(int length) {
        scripts.restore(state);
        for (int i = 0; i < length; i++) {
            pass();
            SemaphoreCommand command = next();
            List<String> faults = refusals ? refused(command) : new ArrayList<>();
            faults.addAll(send(command));
            if (faults.isEmpty() && random.nextInt(6) == 0) {
                SemaphoreState once = state;
                faults.addAll(send(command));
                if (!state.isSameAs(once)) {
                    faults.add("the second time changed something");
                }
            }
            if (!faults.isEmpty()) {
                faults.addAll(trace);
                return faults;
            }
        }
        return end();
    }

    /** Once all leases have ended, all permits can be acquired, and nothing stays after the releases. */
    private List<String> end() {
        now += 1000L * 75_000;
        tenure++;
        boolean waited = !state.waiting().isEmpty();
        List<String> faults =
                new ArrayList<>(send(SemaphoreCommand.acquire("f:1", tenure, LARGEST, LARGEST, 1000, false)));
        if (!waited && state.hold("f:1", tenure) == null) {
            faults.add("permits are held after their leases");
        }
        for (int i = 0; i <= CLIENTS.size() && faults.isEmpty(); i++) {
            for (Hold hold : List.copyOf(state.holds.values())) {
                faults.addAll(send(SemaphoreCommand.release(hold.owner(), hold.tenure())));
            }
        }
        if (faults.isEmpty() && !state.isFree()) {
            faults.add("something stays after the releases: " + state);
        }
        if (!faults.isEmpty()) {
            faults.addAll(trace);
        }
        return faults;
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private void pass() {
        long millis = random.nextInt(40) == 0 ? random.nextInt(6000) : any(STEPS);
        if (random.nextInt(150) == 0) {
            millis = 150_000;
        }
        now += 1000 * millis + random.nextInt(1000);
        if (random.nextInt(25) == 0) {
            listensD = !listensD;
        }
    }

    private List<String> listening() {
        List<String> channels = new ArrayList<>();
        for (String client : CLIENTS) {
            boolean listens = client.equals("d") ? listensD : !client.equals("c");
            if (listens) {
                channels.addAll(List.of(
                        SemaphoreCommand.grantChannel(client), SemaphoreCommand.LINE, SemaphoreCommand.CHANNEL));
            }
        }
        return channels;
    }

    // --- The commands.

    private SemaphoreCommand next() {
        if (!past.isEmpty() && random.nextInt(5) == 0) {
            return any(past);
        }
        SemaphoreCommand command = fresh();
        past.add(command);
        if (past.size() > REMEMBERED) {
            past.remove(0);
        }
        return command;
    }

    private SemaphoreCommand fresh() {
        int choice = random.nextInt(100);
        Hold hold = state.holds.isEmpty() ? null : any(new ArrayList<>(state.holds.values()));
        if (hold != null && choice >= 55) {
            return ofHolder(hold, random.nextInt(20));
        }
        if (!state.waiting().isEmpty() && choice >= 45) {
            Entry entry = any(state.waiting());
            return random.nextBoolean()
                    ? SemaphoreCommand.release(entry.owner(), entry.tenure() + random.nextInt(2))
                    : acquire(entry.owner(), entry.permits());
        }
        return acquire(any(CLIENTS) + ":" + random.nextInt(2), 1 + random.nextInt(3));
    }

    private SemaphoreCommand acquire(String owner, long permits) {
        return SemaphoreCommand.acquire(owner, ++tenure, permits, any(limits), any(LEASES), random.nextInt(6) > 0);
    }

    private SemaphoreCommand ofHolder(Hold hold, int choice) {
        // Sometimes one that is newer, whose acquire had no effect.
        long held = hold.tenure() + (random.nextInt(8) == 0 ? 1 : 0);
        if (choice < 12) {
            return SemaphoreCommand.release(hold.owner(), held);
        }
        if (choice < 15) {
            return SemaphoreCommand.renew(hold.owner(), held, random.nextInt(4) == 0 ? 0 : any(LEASES));
        }
        if (choice == 15) {
            return SemaphoreCommand.closeAfter(hold.owner(), held, ++tenure, any(LEASES));
        }
        if (choice < 18) {
            return SemaphoreCommand.acquire(
                    hold.owner(), hold.tenure(), hold.permits(), any(limits), any(LEASES), random.nextBoolean());
        }
        return acquire(hold.owner(), random.nextBoolean() ? hold.permits() : 1 + random.nextInt(3));
    }

    // --- What they do.

    private SemaphoreState expired() {
        return state.expires >= 0 && state.expires < now / 1000 ? SemaphoreState.FREE : state;
    }

    /** The same command by a user without one or two rights, after which the semaphore is made as it was. */
    private List<String> refused(SemaphoreCommand command) {
        List<String> missing = List.of(any(REFUSABLE), any(REFUSABLE));
        SemaphoreState before = expired();
        Setting setting = new Setting(now, listening(), missing);
        Effect effect = Patience.get(loaded.send(command, setting, publish));
        List<String> faults =
                new ArrayList<>(SemaphoreRefusals.faults(new SemaphoreStep(before, command, setting, effect)));
        if (!faults.isEmpty()) {
            faults.add(command + " without " + missing + ": " + effect.reply() + " " + effect.after());
        }
        scripts.restore(before);
        state = before;
        return faults;
    }

    private List<String> send(SemaphoreCommand command) {
        Setting setting = new Setting(now, listening(), List.of());
        SemaphoreState before = expired();
        Effect effect = Patience.get(loaded.send(command, setting, publish));
        trace.add(
                "\n" + now + " " + command + " -> " + effect.reply() + " " + effect.messages() + " " + effect.after());
        if (trace.size() > 12) {
            trace.remove(0);
        }
        state = effect.after();
        if (!state.isSameAs(before)) {
            effective.merge(command.verb(), 1, Integer::sum);
        }
        List<String> faults =
                new ArrayList<>(SemaphoreRules.faults(new SemaphoreStep(before, command, setting, effect)));
        if (state.held > LARGEST) {
            faults.add("more permits are held than the largest limit");
        }
        effect.messages().stream()
                .filter(message -> !message.command().equals(publish))
                .forEach(message -> faults.add("published by " + message.command()));
        return faults;
    }
}
