package dev.holdfast.script.readwrite;

import dev.holdfast.script.readwrite.ReadWriteCommand.Side;
import dev.holdfast.script.readwrite.ReadWriteCommand.Verb;
import dev.holdfast.script.readwrite.ReadWriteState.Entry;
import dev.holdfast.script.readwrite.ReadWriteState.Hold;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rules that every command keeps: by which commands an owner gets and loses a hold, which clients in line are granted the
 * lock, what becomes of the lines and of the leases, and that Redisson's locks and ours leave each other alone.
 */
final class ReadWriteRules {
    private final ReadWriteStep step;
    private final ReadWriteState before;
    private final ReadWriteState after;
    private final ReadWriteCommand command;
    private final Verb verb;
    private final List<Hold> begun;
    private final List<Hold> ending;
    private final List<Hold> granted;
    private final Set<String> faults = new LinkedHashSet<>();

    private ReadWriteRules(ReadWriteStep step) {
        this.step = step;
        this.before = step.before();
        this.after = step.after();
        this.command = step.command();
        this.verb = command.verb();
        this.begun = step.begun();
        this.ending = step.ending();
        this.granted = verb == Verb.RELEASE || verb == Verb.DOWNGRADE || verb == Verb.ACQUIRE
                ? begun.stream()
                        .filter(hold -> !command.isFrom(hold.owner(), hold.tenure())
                                && !command.isAbout(hold.owner(), hold.tenure()))
                        .toList()
                : List.of();
    }

    /** {@return what is wrong with it} */
    static List<String> faults(ReadWriteStep step) {
        ReadWriteRules rules = new ReadWriteRules(step);
        rules.check();
        return new ArrayList<>(rules.faults);
    }

    private void require(boolean kept, String rule) {
        if (!kept) {
            faults.add(rule);
        }
    }

    private void check() {
        if (verb == Verb.FORCE_UNLOCK) {
            require(after.isFree(), "a forced unlock leaves the lock free");
            return;
        }
        if (verb.isRedissons()) {
            require(!before.isOurs() || after.isSameAs(before), "Redisson has changed our lock");
            return;
        }
        if (!before.isFree() && !before.isOurs()) {
            require(after.isSameAs(before), "we have changed Redisson's lock");
            require(step.effect().messages().isEmpty(), "a message about Redisson's lock");
            require(step.effect().number() <= 0, "Redisson's lock is busy");
            return;
        }
        after.faults.forEach(faults::add);
        ends();
        begins();
        grants();
        becomesFree();
        lines();
        leases();
        numbers();
        faults.addAll(ReadWriteReplies.faults(step, granted));
        faults.addAll(ReadWriteMessages.faults(step, granted));
    }

    // --- Holds.

    private boolean isTakenOver() {
        return !begun.isEmpty() && before.isOver(step.nowMs()) && step.isLooking();
    }

    /** A hold ends by a command of its own, or once its lease has ended. */
    private void ends() {
        for (Hold hold : before.holds.values()) {
            if (after.hold(hold.owner(), hold.tenure()) != null) {
                continue;
            }
            boolean expired = step.isLooking() && hold.until() < step.nowMs();
            require(expired || ending.contains(hold), "the hold of another owner has ended");
        }
        for (Hold hold : ending) {
            require(after.hold(hold.owner(), hold.tenure()) == null, "a released hold is still there");
        }
    }

    private void begins() {
        for (Hold hold : begun) {
            boolean own = command.isAbout(hold.owner(), hold.tenure());
            switch (verb) {
                case ACQUIRE -> {
                    boolean joins = step.passesAll() && isInLine(hold);
                    require(
                            joins || (own && hold.side() == command.side()),
                            "an acquire gave the lock to another owner");
                    acquires();
                }
                case HANDOFF, CLOSE_AFTER, SETTLE, READ_SETTLE ->
                    require(own && !ending.isEmpty(), "a hold began without another");
                case DOWNGRADE ->
                    require(
                            !ending.isEmpty() && hold.side() == Side.READ,
                            "a downgrade without a write hold granted the lock");
                case RELEASE -> require(isInLine(hold), "the lock was granted to a tenure that is not in line");
                default -> require(false, "the lock was granted by a command that may not");
            }
            require(hold.label().equals(ReadWriteCommand.labelOf(hold.owner())), "the label of the hold");
            require(hold.count() == 1, "the count of a new hold");
        }
    }

    private void acquires() {
        boolean adopts = ending.stream().anyMatch(hold -> hold.side() == command.side());
        boolean ownsOther = before.holds.containsKey(command.owner());
        boolean admitted = before.isShared() && command.side() == Side.READ && !ownsOther;
        require(before.isFree() || adopts || isTakenOver() || admitted, "the lock was acquired while it was held");
        require(
                !admitted || isTakenOver() || before.writers.isEmpty() || step.passesAll(),
                "a reader was admitted while a writer waits");
        require(command.holds() == 1, "a hold to be re-entered began");
    }

    private boolean isInLine(Hold hold) {
        return before.readers.values().stream().anyMatch(entry -> isOf(entry, hold, Side.READ))
                || before.writers.values().stream().anyMatch(entry -> isOf(entry, hold, Side.WRITE));
    }

    private static boolean isOf(Entry entry, Hold hold, Side side) {
        return entry.owner().equals(hold.owner()) && entry.tenure() == hold.tenure() && hold.side() == side;
    }

    // --- Grants.

    /** {@return whether nobody holds the lock once the holds have ended that the command ends} */
    private boolean isPhaseOver() {
        return verb == Verb.RELEASE && !ending.isEmpty() && ending.size() == before.holds.size();
    }

    private boolean lastWriterLeaves() {
        return before.isShared()
                && !before.writers.isEmpty()
                && before.writers.values().stream().allMatch(step::isLeaving);
    }

    /** After a writer, all readers that wait and are subscribed have the lock; after readers, the first such writer. */
    private void grants() {
        List<Entry> readers = step.waitingReaders();
        Optional<Entry> writer = step.firstWriter(before.writers);
        boolean downgrades = verb == Verb.DOWNGRADE && !ending.isEmpty();
        boolean passes = step.passesAll();
        boolean admits = downgrades || lastWriterLeaves() || passes;
        require(
                !passes || step.isOvertaken() || after.hold(command.owner(), command.tenure()) != null,
                "a reader waits for writers that are not subscribed");
        if (!isPhaseOver()) {
            require(granted.isEmpty() || admits, "a grant while others hold the lock");
            require(!admits || isGrantedTo(readers, Side.READ), "the readers in line join those that hold the lock");
            return;
        }
        if (step.isTurn()) {
            require(after.isFree(), "the lock is left free for others in their turn");
            return;
        }
        boolean readersNext = !before.isShared() || writer.isEmpty();
        if (readersNext && !readers.isEmpty()) {
            require(isGrantedTo(readers, Side.READ), "the readers have the next phase, all at once");
            long last = granted.stream().mapToLong(Hold::until).max().orElse(0);
            require(after.expires == last, "the key ends with the last reader of the phase");
        } else if (writer.isPresent()) {
            require(isGrantedTo(List.of(writer.get()), Side.WRITE), "the first writer has the next phase");
        } else {
            require(after.isFree(), "a lock that nobody can be granted is free");
        }
    }

    private boolean isGrantedTo(List<Entry> entries, Side side) {
        return granted.size() == entries.size()
                && entries.stream().allMatch(entry -> granted.stream().anyMatch(hold -> isOf(entry, hold, side)))
                && granted.stream().allMatch(hold -> lease(hold) == leaseOf(hold));
    }

    private long lease(Hold hold) {
        return (hold.side() == Side.READ ? hold.until() : after.expires) - step.nowMs();
    }

    private long leaseOf(Hold hold) {
        List<Entry> all = new ArrayList<>(before.readers.values());
        all.addAll(before.writers.values());
        return all.stream()
                .filter(entry -> entry.owner().equals(hold.owner()) && entry.tenure() == hold.tenure())
                .mapToLong(Entry::lease)
                .findFirst()
                .orElse(-1);
    }

    private void becomesFree() {
        if (before.isFree() || !after.isFree()) {
            return;
        }
        require(isPhaseOver(), "the lock is free although it was not released");
    }

    // --- The lines.

    /** A client keeps its place until it is granted the lock, leaves, or is passed over since it is not subscribed. */
    private void lines() {
        if (after.isFree() || isTakenOver() || before.isFree()) {
            require(after.writers.isEmpty() && after.readers.isEmpty(), "a line without a lock");
            return;
        }
        for (Map.Entry<Long, Entry> writer : before.writers.entrySet()) {
            Entry entry = writer.getValue();
            Entry now = after.writers.get(writer.getKey());
            boolean deaf = (isPhaseOver() || step.isBarred()) && !step.listens(entry.client(), Side.WRITE);
            keeps(entry, now, Side.WRITE, deaf);
        }
        for (Map.Entry<String, Entry> reader : before.readers.entrySet()) {
            Entry entry = reader.getValue();
            boolean deaf = admitsReaders() && !step.listens(entry.client(), Side.READ);
            keeps(entry, after.readers.get(reader.getKey()), Side.READ, deaf);
        }
        after.writers.forEach((place, entry) -> {
            Entry was = before.writers.get(place);
            boolean own = Objects.equals(before.places.get(entry.client()), place);
            require(was != null || own || place == before.last + 1, "a client joins at the end, or where it was");
            joins(entry, was, Side.WRITE);
        });
        after.readers.forEach((client, entry) -> joins(entry, before.readers.get(client), Side.READ));
    }

    /** {@return whether the readers in line may be granted the lock} */
    private boolean admitsReaders() {
        return isPhaseOver() || lastWriterLeaves() || step.passesAll() || (verb == Verb.DOWNGRADE && !ending.isEmpty());
    }

    private void keeps(Entry entry, @Nullable Entry now, Side side, boolean passed) {
        boolean given = granted.stream().anyMatch(hold -> isOf(entry, hold, side));
        if (given || step.isLeaving(entry)) {
            require(now == null || !now.equals(entry), "a client that has the lock, or leaves, is still in line");
            return;
        }
        boolean replaced = now != null
                && verb == Verb.ACQUIRE
                && now.client().equals(command.client())
                && now.tenure() >= entry.tenure();
        require(entry.equals(now) || replaced || (now == null && passed), "a client has lost its place");
    }

    private void joins(Entry entry, @Nullable Entry was, Side side) {
        if (entry.equals(was)) {
            return;
        }
        Entry meant = new Entry(
                command.owner(), command.tenure(), command.claim(), ReadWriteCommand.labelOf(command.owner()));
        require(
                verb == Verb.ACQUIRE && command.joins() && command.side() == side && entry.equals(meant),
                "an entry is that of a client that has asked for it");
        require(step.listens(entry.client(), side), "a client that is not subscribed has no place");
    }

    // --- Leases.

    private void leases() {
        for (Hold hold : after.holds.values()) {
            Hold was = before.hold(hold.owner(), hold.tenure());
            boolean about = command.isAbout(hold.owner(), hold.tenure());
            boolean extended = about && (verb == Verb.ACQUIRE || verb == Verb.RENEW);
            long wanted = step.nowMs() + command.lease();
            if (was == null) {
                boolean requested = (about && verb != Verb.RELEASE) || command.isFrom(hold.owner(), hold.tenure());
                require(!requested || lease(hold) == command.lease(), "the lease of a new hold is the one requested");
            } else if (hold.side() == Side.READ) {
                require(
                        hold.until() == (extended ? Math.max(was.until(), wanted) : was.until()),
                        "the lease of a reader is its own");
            }
            if (was != null) {
                long count = about && verb == Verb.RELEASE
                        ? command.holds()
                        : about && verb == Verb.ACQUIRE ? Math.max(was.count(), command.holds()) : was.count();
                require(hold.count() == count, "the count of a hold");
                require(hold.label().equals(was.label()), "the label of a hold is kept");
            }
            require(!extended || after.expires >= wanted, "the lease is as long as requested");
        }
        boolean sameHolds = begun.isEmpty() && ending.isEmpty() && !before.isFree() && !after.isFree();
        if (sameHolds && !isTakenOver()) {
            boolean about = after.hold(command.owner(), command.tenure()) != null;
            long wanted = about && (verb == Verb.ACQUIRE || verb == Verb.RENEW || verb == Verb.HANDOFF)
                    ? Math.max(before.expires, step.nowMs() + command.lease())
                    : before.expires;
            require(after.expires == wanted, "the lease of the lock is changed by its owner only");
        }
        if (before.isShared() && after.isShared() && !isTakenOver() && !isPhaseOver()) {
            require(after.expires >= before.expires, "the key outlives the readers that stay");
        }
    }

    /** The phases are counted, the time of the lines is that of the first place, and {@code due} is no earlier than it need be. */
    private void numbers() {
        boolean fresh = before.isFree() || after.isFree() || isTakenOver();
        boolean opens = verb == Verb.ACQUIRE && before.opened == 0 && after.opened == step.nowMicros();
        require(after.opened == (fresh ? 0 : before.opened) || opens, "the time when the lines were opened");
        boolean deaf = admitsReaders()
                && !before.readers.isEmpty()
                && step.waitingReaders().isEmpty();
        long phases = (fresh ? 0 : before.grants) + (granted.isEmpty() || fresh ? 0 : 1);
        require(after.grants == phases || (deaf && after.grants == phases + 1), "the number of phases");
        if (after.isShared()) {
            long earliest =
                    after.holds.values().stream().mapToLong(Hold::until).min().orElse(0);
            boolean known = before.isShared() && !fresh && !step.isLooking() && !isPhaseOver();
            require(after.due >= (known ? Math.min(before.due, earliest) : earliest), "due is too early");
        }
    }
}
