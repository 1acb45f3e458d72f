package dev.holdfast.script.readwrite;

import dev.holdfast.script.readwrite.ReadWriteCommand.Named;
import dev.holdfast.script.readwrite.ReadWriteCommand.Side;
import dev.holdfast.script.readwrite.ReadWriteCommand.Verb;
import dev.holdfast.script.readwrite.ReadWriteScripts.Effect;
import dev.holdfast.script.readwrite.ReadWriteState.Entry;
import dev.holdfast.script.readwrite.ReadWriteState.Hold;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Commands by chance of four clients for one lock, with time between them. Clients c and d stop to listen, and begin
 * again. A third of the commands come twice, or again after later ones. In every second run Redisson acts as well.
 */
final class ReadWriteSequences {
    private static final List<String> CLIENTS = List.of("a", "b", "c", "d");
    private static final List<Integer> LEASES = List.of(40, 200, 1000, 5000);
    private static final List<Integer> STEPS = List.of(0, 0, 0, 1, 1, 3, 16, 45);
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

    /** Those that a script may need after it has changed something. */
    private static final List<String> REFUSED_LATE = List.of("PEXPIRE", "PUBSUB");

    private static final int REMEMBERED = 60;

    /** An owner that got a hold by a downgrade, and never asks for one. */
    private static final String DOWNGRADED = ":-7000";

    private final ReadWriteScripts scripts;
    private final ReadWriteScripts.Loaded loaded;
    private final Random random;
    private final boolean withRedisson;
    private final String publish;
    private final boolean refusals;

    /** Whether what is left of a command that was refused in part stays. */
    private final boolean keeps;

    /** Whether most commands come within a millisecond. */
    private final boolean isQuick;

    private final List<ReadWriteCommand> past = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private final Map<Verb, Integer> effective;

    private ReadWriteState state = new ReadWriteState(ReadWriteState.NO_KEY, Map.of());
    private long now = 1_700_000_000_000_000L;
    private long tenure = 1_700_000_000_000_000L;
    private boolean listensC;
    private boolean listensD = true;

    ReadWriteSequences(
            ReadWriteScripts scripts,
            ReadWriteScripts.Loaded loaded,
            Random random,
            boolean withRedisson,
            boolean refusals,
            Map<Verb, Integer> effective) {
        this.scripts = scripts;
        this.loaded = loaded;
        this.random = random;
        this.withRedisson = withRedisson;
        this.refusals = refusals;
        this.keeps = refusals && random.nextInt(4) == 0;
        this.isQuick = random.nextInt(3) == 0;
        this.publish = random.nextBoolean() ? "PUBLISH" : "SPUBLISH";
        this.effective = effective;
    }

    /** {@return numbers by chance} Those of neighbouring seeds have nothing in common, unlike the first ones of {@link Random}. */
    static Random random(long seed) {
        return new Random(new SplittableRandom(seed).nextLong());
    }

    /** {@return how often commands have changed the lock} */
    static Map<Verb, Integer> counts() {
        return new EnumMap<>(Verb.class);
    }

    /** Sends so many commands. {@return what was wrong with the first that broke a rule; empty if none did} */
    List<String> run(int length) {
        scripts.restore(state);
        for (int i = 0; i < length; i++) {
            pass();
            ReadWriteCommand command = next();
            List<String> faults = new ArrayList<>();
            if (refusals && (state.isOurs() || state.isFree())) {
                faults.addAll(refused(command));
            }
            ReadWriteState before = state;
            faults.addAll(send(command));
            if (faults.isEmpty() && command.verb().mayComeAgain() && random.nextInt(6) == 0) {
                faults.addAll(again(command, before));
            }
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

    private void pass() {
        long millis = isQuick && random.nextInt(12) > 0 ? 0 : any(STEPS);
        if (random.nextInt(40) == 0) {
            millis = random.nextInt(6000);
        }
        now += 1000 * millis + random.nextInt(1000);
        if (random.nextInt(25) == 0) {
            listensC = !listensC;
        }
        if (random.nextInt(25) == 0) {
            listensD = !listensD;
        }
    }

    private List<String> listening() {
        List<String> channels = new ArrayList<>();
        for (String client : CLIENTS) {
            boolean listens = client.equals("c") ? listensC : !client.equals("d") || listensD;
            if (listens) {
                channels.add(ReadWriteCommand.grantChannel(client, Side.WRITE));
                channels.add(ReadWriteCommand.grantChannel(client, Side.READ));
                channels.add(ReadWriteCommand.lineChannel());
                channels.add(ReadWriteCommand.CHANNEL);
            }
        }
        if (withRedisson && now % 2 == 0) {
            channels.add(ReadWriteCommand.CHANNEL);
        }
        return channels;
    }

    // --- The commands.

    private ReadWriteCommand next() {
        if (!past.isEmpty() && random.nextInt(5) == 0) {
            return any(past);
        }
        ReadWriteCommand command = fresh();
        if (command.verb().mayComeAgain() && !isOnTheWrongSide(command)) {
            past.add(command);
            if (past.size() > REMEMBERED) {
                past.remove(0);
            }
        }
        return command;
    }

    /** {@return whether a reader asks to write, or a writer to read} No client has one id for both: it comes once, and is refused. */
    private static boolean isOnTheWrongSide(ReadWriteCommand command) {
        return command.verb() == Verb.ACQUIRE && (command.side() == Side.READ) != isReader(command.owner());
    }

    private static boolean isReader(String owner) {
        return owner.contains(":-");
    }

    private ReadWriteCommand fresh() {
        int choice = random.nextInt(100);
        if (withRedisson && choice < 25) {
            Verb verb = any(List.of(
                    Verb.REDISSON_READ_LOCK,
                    Verb.REDISSON_READ_UNLOCK,
                    Verb.REDISSON_READ_UNLOCK,
                    Verb.REDISSON_WRITE_LOCK,
                    Verb.REDISSON_WRITE_UNLOCK,
                    Verb.REDISSON_WRITE_UNLOCK));
            return ReadWriteCommand.of(verb, any(List.of("redisson:1", "redisson:2")), 0, any(LEASES));
        }
        if (choice == 99) {
            return ReadWriteCommand.of(Verb.FORCE_UNLOCK, "", 0, 0);
        }
        Hold hold = state.holds.isEmpty() ? null : any(new ArrayList<>(state.holds.values()));
        if (hold != null && choice >= 55) {
            return ofHolder(hold, random.nextInt(20));
        }
        List<Entry> waiting = new ArrayList<>(state.writers.values());
        waiting.addAll(state.readers.values());
        if (!waiting.isEmpty() && choice >= 43) {
            Entry entry = any(waiting);
            return random.nextBoolean()
                    ? ReadWriteCommand.release(entry.owner(), entry.tenure(), random.nextInt(8) == 0 ? 1 : 0)
                    : acquire(entry.owner(), state.readers.containsValue(entry) ? Side.READ : Side.WRITE);
        }
        Side side = any(List.of(Side.READ, Side.READ, Side.WRITE));
        String client = any(CLIENTS);
        return acquire(side == Side.READ ? client + ":-1000" + ++tenure : client + ":" + random.nextInt(2), side);
    }

    private ReadWriteCommand acquire(String owner, Side side) {
        return ReadWriteCommand.acquire(owner, ++tenure, 1, any(LEASES), side, random.nextInt(8) > 0);
    }

    private ReadWriteCommand ofHolder(Hold hold, int choice) {
        // Sometimes one that is newer, whose acquire had no effect.
        long held = hold.tenure() + (random.nextInt(8) == 0 ? 1 : 0);
        Named from = new Named(hold.owner(), hold.tenure());
        String client = ReadWriteCommand.clientOf(hold.owner());
        boolean writes = hold.side() == Side.WRITE;
        if (choice < 9) {
            return ReadWriteCommand.release(hold.owner(), held, 0);
        }
        if (choice < 12) {
            return ReadWriteCommand.of(Verb.RENEW, hold.owner(), held, any(LEASES));
        }
        if (choice == 12) {
            return ReadWriteCommand.of(Verb.VERIFY, hold.owner(), hold.tenure(), 0);
        }
        if (choice > 12 && hold.owner().contains(DOWNGRADED)) {
            return ReadWriteCommand.release(hold.owner(), held, 0);
        }
        if (choice == 13) {
            boolean isHeld = (writes ? state.expires : hold.until()) >= now / 1000;
            boolean isMistaken = isHeld && random.nextInt(4) == 0;
            return acquire(hold.owner(), writes != isMistaken ? Side.WRITE : Side.READ);
        }
        if (choice == 17 && (!writes || random.nextInt(4) == 0)) {
            Named settled = settled(client);
            return ReadWriteCommand.of(Verb.READ_SETTLE, settled.owner(), settled.tenure(), any(LEASES), from);
        }
        if (!writes && choice < 18) {
            return ReadWriteCommand.acquire(hold.owner(), hold.tenure(), 1, any(LEASES), Side.READ, true);
        }
        String other = client + ":" + random.nextInt(2);
        return switch (choice) {
            case 14 ->
                ReadWriteCommand.acquire(
                        hold.owner(), hold.tenure(), (int) hold.count() + 1, any(LEASES), Side.WRITE, true);
            case 15 -> ReadWriteCommand.release(hold.owner(), held, Math.max(1, (int) hold.count() - 1));
            case 16 -> ReadWriteCommand.of(Verb.HANDOFF, other, ++tenure, any(LEASES), from);
            case 17 ->
                random.nextInt(3) > 0
                        ? ReadWriteCommand.of(Verb.SETTLE, other, ++tenure, any(LEASES), from)
                        : ReadWriteCommand.of(Verb.CLOSE_AFTER, hold.owner(), ++tenure, any(LEASES), from);
            default ->
                ReadWriteCommand.of(
                        Verb.DOWNGRADE,
                        hold.owner(),
                        held,
                        any(LEASES),
                        new Named(client + DOWNGRADED + ++tenure, tenure));
        };
    }

    /** {@return a tenure of a reader of this client: a new one, or one that has the lock, and perhaps since then} */
    private Named settled(String client) {
        List<Hold> present = state.holds.values().stream()
                .filter(hold -> hold.side() == Side.READ
                        && ReadWriteCommand.clientOf(hold.owner()).equals(client)
                        && !hold.owner().contains(DOWNGRADED))
                .toList();
        if (present.isEmpty() || random.nextBoolean()) {
            return new Named(client + ":-1000" + ++tenure, ++tenure);
        }
        Hold hold = any(present);
        return new Named(hold.owner(), random.nextInt(4) == 0 ? hold.tenure() - 1 : ++tenure);
    }

    // --- What they do.

    private List<String> send(ReadWriteCommand command) {
        List<String> listening = listening();
        ReadWriteState before = expired();
        Effect effect = loaded.run(command, now, listening, List.of(), publish);
        trace.add(
                "\n" + now + " " + command + " -> " + effect.reply() + " " + effect.messages() + " " + effect.after());
        if (trace.size() > 12) {
            trace.remove(0);
        }
        state = effect.after();
        if (!state.isSameAs(before)) {
            effective.merge(command.verb(), 1, Integer::sum);
        }
        ReadWriteStep step = new ReadWriteStep(before, command, now, listening, effect);
        List<String> faults =
                new ArrayList<>(keeps ? ReadWriteRefusals.faults(step, List.of()) : ReadWriteRules.faults(step));
        if (!command.verb().isRedissons()) {
            effect.messages().stream()
                    .filter(message -> !message.command().equals(publish))
                    .forEach(message -> faults.add("published by " + message.command()));
        }
        return faults;
    }

    private ReadWriteState expired() {
        return state.expires >= 0 && state.expires < now / 1000
                ? new ReadWriteState(ReadWriteState.NO_KEY, Map.of())
                : state;
    }

    /**
     * The second time changes nothing; but a release of an owner that was in line with an older tenure gives that up, or what
     * it was granted.
     */
    private List<String> again(ReadWriteCommand command, ReadWriteState first) {
        ReadWriteState before = state;
        boolean leaves = command.verb() == Verb.RELEASE
                && Stream.concat(first.writers.values().stream(), first.readers.values().stream())
                        .anyMatch(entry -> entry.owner().equals(command.owner()) && entry.tenure() <= command.tenure());
        List<String> faults = new ArrayList<>(send(command));
        if (!leaves && !keeps && !state.isSameAs(before)) {
            faults.add("the second time changed something");
        }
        return faults;
    }

    /**
     * The same command by a user without one or two rights. In one of four runs what it has done stays, and the rules of {@link ReadWriteRefusals}
     * are those of all commands.
     */
    private List<String> refused(ReadWriteCommand command) {
        if (command.verb().isRedissons() || command.verb().compareTo(Verb.RENEW) > 0) {
            return List.of();
        }
        List<String> missing = List.of(any(REFUSABLE), any(random.nextBoolean() ? REFUSABLE : REFUSED_LATE));
        ReadWriteState before = expired();
        Effect effect = loaded.run(command, now, listening(), missing, publish);
        List<String> faults =
                ReadWriteRefusals.faults(new ReadWriteStep(before, command, now, listening(), effect), missing);
        if (keeps) {
            state = effect.after();
            trace.add("\n" + now + " " + command + " without " + missing + " -> " + effect.reply() + " "
                    + effect.messages() + " " + effect.after());
        } else {
            scripts.restore(before);
            state = before;
        }
        return faults.isEmpty()
                ? faults
                : new ArrayList<>(List.of(faults + " " + command + " without " + missing + ": " + effect));
    }
}
