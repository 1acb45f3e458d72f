package dev.holdfast.interleavings.orders;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.LockKey;
import dev.holdfast.internal.kind.ReadKind;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Script;
import dev.holdfast.internal.redis.SentWords;
import dev.holdfast.pubsub.AnsweringWire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A model of a read-write lock in Redis, by the rules in the headers of its scripts. Its two kinds are those of the library: the
 * model reads the words of their commands. No lease ends, and besides the modelled client there is another one, of which a test
 * moves the owners.
 */
final class ModelReadWrite {
    /** The other client, and three owners of it: one reads, and two write, one after the other. */
    private static final String OTHERS = "others";

    private static final String OTHER_READER = OTHERS + ":1";
    private static final String OTHER_WRITER = OTHERS + ":2";
    private static final String NEXT_OTHER_WRITER = OTHERS + ":3";

    private final AnsweringWire wire;
    private final LongSupplier micros;
    private final LockKey read = new LockKey(new ReadKind(null), "orders:45", "");
    private final LockKey write = Objects.requireNonNull(read.otherSide(), "a read-write lock has two sides");

    /** The name of each script, by its SHA and by its source. */
    private final Map<String, String> scripts = new HashMap<>();

    private record Held(String owner, long tenure, int holds) {}

    private record Waiter(String owner, long tenure) {}

    // Guarded by this.
    private @Nullable Held writer;

    /** The tenure of each reader. */
    private final Map<String, Long> readers = new LinkedHashMap<>();

    // The waiters by their clients.
    private final Map<String, Waiter> writersInLine = new LinkedHashMap<>();
    private final Map<String, Waiter> readersInLine = new LinkedHashMap<>();

    /** @param micros the server's time */
    ModelReadWrite(AnsweringWire wire, LongSupplier micros) {
        this.wire = wire;
        this.micros = micros;
        Stream.of(read, write)
                .flatMap(side -> side.kind().scripts().stream())
                .distinct()
                .forEach(this::know);
    }

    private void know(Script script) {
        String[] nameAndSha = script.toString().split("[ ()]+", -1);
        scripts.put(nameAndSha[1], nameAndSha[0]);
        scripts.put(new String(script.source(), UTF_8), nameAndSha[0]);
    }

    LockKey readKey() {
        return read;
    }

    LockKey writeKey() {
        return write;
    }

    // --- Owners outside the client.

    synchronized void readForOther() {
        readers.put(OTHER_READER, 1L);
    }

    synchronized void writeForOther() {
        writer = new Held(OTHER_WRITER, 1, 1);
    }

    /** Another client's owner releases what it has. */
    synchronized void releaseOfOther() {
        String owner = readers.containsKey(OTHER_READER)
                ? OTHER_READER
                : Objects.requireNonNull(writer).owner();
        release(owner, tenureOf(owner), 0);
    }

    /** A writer of another client goes in line, and those that read are notified. */
    synchronized void writerOfOtherWaits() {
        boolean closes = writersInLine.isEmpty() && !readers.isEmpty();
        writersInLine.put(OTHERS, new Waiter(NEXT_OTHER_WRITER, 2));
        if (closes) {
            wire.publish(Enlists.lineChannel(read), "closing " + micros.getAsLong());
        }
    }

    /** The key is deleted, with all that is in it. */
    synchronized void delete() {
        writer = null;
        readers.clear();
        writersInLine.clear();
        readersInLine.clear();
    }

    synchronized boolean isFree() {
        return writer == null && readers.isEmpty();
    }

    /** {@return whether a writer outside the client has the lock} */
    synchronized boolean isWrittenByOther() {
        Held present = writer;
        return present != null && present.owner().startsWith(OTHERS);
    }

    synchronized boolean hasWriterInLine() {
        return !writersInLine.isEmpty();
    }

    synchronized boolean hasReaderInLine() {
        return !readersInLine.isEmpty();
    }

    /** {@return whether the owner of this claim has the lock} */
    synchronized boolean has(Claim claim) {
        return tenureOf(ModelLock.owner(claim)) == claim.tenure();
    }

    // --- The commands.

    /** {@return the reply to a command; null if it is not about this lock} */
    synchronized @Nullable List<Object> run(Call command) {
        List<String> words = SentWords.of(command);
        if (words.get(0).equals("HGET")) {
            return List.of("1 1 " + writersInLine.size() + " 0 0");
        }
        String script = words.size() > 1 ? scripts.get(words.get(1)) : null;
        if (script == null) {
            return null;
        }
        List<String> arguments = words.subList(3 + Integer.parseInt(words.get(2)), words.size());
        String owner = arguments.get(0);
        long tenure = Long.parseLong(arguments.get(1));
        return switch (script) {
            case "rw-acquire.lua" ->
                acquire(
                        owner,
                        tenure,
                        Integer.parseInt(arguments.get(2)),
                        arguments.get(4).equals("read"),
                        arguments.size() > 6);
            case "rw-release.lua" -> release(owner, tenure, Integer.parseInt(arguments.get(2)));
            case "rw-downgrade.lua" -> downgrade(owner, tenure, arguments.get(2), Long.parseLong(arguments.get(3)));
            case "rw-renew.lua" -> findEach(arguments, 3);
            case "verify.lua" -> findEach(arguments, 2);
            case "handoff.lua" -> one(handOff(owner, tenure, arguments.subList(3, arguments.size())));
            default -> throw new AssertionError("not modelled: " + script);
        };
    }

    private static List<Object> one(long number) {
        return List.of(number);
    }

    private static List<Object> busy() {
        return one(-ModelLock.LEFT_MILLIS);
    }

    private long otherwise() {
        return isFree() ? 0 : -ModelLock.LEFT_MILLIS;
    }

    private long tenureOf(String owner) {
        Held present = writer;
        return present != null && present.owner().equals(owner) ? present.tenure() : readers.getOrDefault(owner, 0L);
    }

    private static String clientOf(String owner) {
        return owner.substring(0, owner.indexOf(':'));
    }

    private boolean hears(String client, boolean reads) {
        return client.equals(OTHERS) || wire.hasSubscribed(channelOf(client, reads));
    }

    private String channelOf(String client, boolean reads) {
        LockKey side = reads ? read : write;
        return ((Enlists) side.kind()).grantChannel(side, client);
    }

    /** @param joins whether it is to join a line */
    private List<Object> acquire(String owner, long tenure, int holds, boolean reads, boolean joins) {
        long mine = tenureOf(owner);
        if (mine > tenure) {
            return one(mine);
        }
        if (holds > 1 && mine != tenure) {
            return one(0);
        }
        boolean isWrongSide = mine > 0 && reads == (writer != null);
        boolean isAdmitted = reads && writer == null && writersInLine.isEmpty();
        if (isWrongSide || (mine == 0 && !isFree() && !isAdmitted)) {
            return isWrongSide || !joins ? busy() : enlist(owner, tenure, reads);
        }
        if (reads) {
            readers.put(owner, tenure);
            return writersInLine.isEmpty() ? one(tenure) : List.of(tenure, (long) writersInLine.size());
        }
        int before = mine == tenure ? Objects.requireNonNull(writer).holds() : 0;
        writer = new Held(owner, tenure, Math.max(holds, before));
        return one(tenure);
    }

    private List<Object> enlist(String owner, long tenure, boolean reads) {
        String client = clientOf(owner);
        if (!hears(client, reads)) {
            return busy();
        }
        Map<String, Waiter> line = reads ? readersInLine : writersInLine;
        line.merge(
                client, new Waiter(owner, tenure), (known, newer) -> known.tenure() > newer.tenure() ? known : newer);
        long before = reads ? line.size() - 1 : List.copyOf(line.keySet()).indexOf(client);
        return List.of(-ModelLock.LEFT_MILLIS, before, micros.getAsLong());
    }

    private List<Object> release(String owner, long tenure, int holds) {
        long mine = tenureOf(owner);
        boolean held = mine > 0 && (mine == tenure || (mine < tenure && holds == 0));
        if (mine > tenure) {
            return one(mine);
        }
        if (!held && holds == 0) {
            giveUp(owner, tenure);
        }
        if (!held) {
            return one(otherwise());
        }
        if (holds > 0) {
            writer = new Held(owner, tenure, holds);
            return one(tenure);
        }
        return end(owner, tenure, mine == tenure ? tenure : 0);
    }

    /** An owner that does not have the lock does not wait any more. */
    private void giveUp(String owner, long tenure) {
        readersInLine.values().removeIf(waiter -> isUpTo(waiter, owner, tenure));
        boolean left = writersInLine.values().removeIf(waiter -> isUpTo(waiter, owner, tenure));
        if (left && writersInLine.isEmpty() && writer == null) {
            grantReaders();
        }
    }

    private static boolean isUpTo(Waiter waiter, String owner, long tenure) {
        return waiter.owner().equals(owner) && waiter.tenure() <= tenure;
    }

    private List<Object> end(String owner, long tenure, long answer) {
        boolean wrote = writer != null;
        if (wrote) {
            writersInLine
                    .values()
                    .removeIf(waiter -> clientOf(waiter.owner()).equals(clientOf(owner)) && waiter.tenure() <= tenure);
        }
        writer = null;
        readers.remove(owner);
        if (!readers.isEmpty()) {
            return one(answer);
        }
        long granted = wrote ? grantReaders() : 0;
        granted = granted == 0 ? grantWriter() : granted;
        granted = granted == 0 ? grantReaders() : granted;
        if (granted > 0) {
            return List.of(answer, granted, -1L);
        }
        delete();
        wire.publish(read.channel(), "1");
        return one(answer);
    }

    private long grantReaders() {
        List<Map.Entry<String, Waiter>> all = new ArrayList<>(readersInLine.entrySet());
        readersInLine.clear();
        all.removeIf(entry -> !hears(entry.getKey(), true));
        String waiting = writersInLine.isEmpty() ? "" : " " + writersInLine.size();
        for (Map.Entry<String, Waiter> entry : all) {
            Waiter to = entry.getValue();
            readers.put(to.owner(), to.tenure());
            notifyOf(to, true, waiting);
        }
        return all.size();
    }

    private long grantWriter() {
        while (!writersInLine.isEmpty()) {
            String client = writersInLine.keySet().iterator().next();
            Waiter to = Objects.requireNonNull(writersInLine.remove(client));
            if (hears(client, false)) {
                writer = new Held(to.owner(), to.tenure(), 1);
                notifyOf(to, false, "");
                return 1;
            }
        }
        return 0;
    }

    private void notifyOf(Waiter to, boolean reads, String waiting) {
        String message = to.owner() + " " + to.tenure() + " " + micros.getAsLong() + waiting;
        wire.publish(channelOf(clientOf(to.owner()), reads), message);
    }

    private List<Object> downgrade(String owner, long tenure, String reader, long next) {
        long mine = tenureOf(owner);
        if (mine > tenure) {
            return one(mine);
        }
        boolean again = tenureOf(reader) == next;
        if (!again && (mine < tenure || writer == null)) {
            return one(mine == 0 ? otherwise() : 0);
        }
        if (!again) {
            writer = null;
            readers.put(reader, next);
            grantReaders();
        }
        return writersInLine.isEmpty() ? one(tenure) : List.of(tenure, (long) writersInLine.size());
    }

    /** @param words how many there are for each claim, the owner and the tenure first */
    private List<Object> findEach(List<String> arguments, int words) {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i += words) {
            long tenure = Long.parseLong(arguments.get(i + 1));
            long mine = tenureOf(arguments.get(i));
            all.add(mine >= tenure ? mine : mine == 0 ? otherwise() : 0L);
        }
        return all;
    }

    /** @param from pairs of an owner and a tenure */
    private long handOff(String to, long tenure, List<String> from) {
        long mine = tenureOf(to);
        if (mine >= tenure) {
            return mine;
        }
        for (int i = 0; i < from.size(); i += 2) {
            if (tenureOf(from.get(i)) == Long.parseLong(from.get(i + 1))) {
                writer = new Held(to, tenure, 1);
                return tenure;
            }
        }
        return otherwise();
    }
}
