package dev.holdfast.script.readwrite;

import dev.holdfast.script.readwrite.ReadWriteCommand.Side;
import dev.holdfast.script.readwrite.ReadWriteCommand.Verb;
import dev.holdfast.script.readwrite.ReadWriteScripts.Effect;
import dev.holdfast.script.readwrite.ReadWriteState.Entry;
import dev.holdfast.script.readwrite.ReadWriteState.Hold;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One command: the lock before it, and what it has done.
 *
 * @param before without what has expired
 * @param listening the channels that have subscribers, each as often as it has some
 */
record ReadWriteStep(
        ReadWriteState before, ReadWriteCommand command, long nowMicros, List<String> listening, Effect effect) {
    private static final long TURN_MICROS = 15_000;

    ReadWriteState after() {
        return effect.after();
    }

    long nowMs() {
        return nowMicros / 1000;
    }

    boolean listens(String client, Side side) {
        return listening.contains(ReadWriteCommand.grantChannel(client, side));
    }

    long listeners(String channel) {
        return listening.stream().filter(channel::equals).count();
    }

    /** {@return how many are notified of a release, and join no line} */
    long others() {
        return listeners(ReadWriteCommand.CHANNEL) - listeners(ReadWriteCommand.lineChannel());
    }

    /** {@return whether the command has no effect since the owner has a newer tenure} */
    boolean isLate() {
        Hold hold = before.holds.get(command.owner());
        return hold != null && hold.tenure() > command.tenure();
    }

    /** {@return the holds that end as the command says, were it executed} */
    List<Hold> ending() {
        return before.holds.values().stream().filter(this::isEnding).toList();
    }

    private boolean isEnding(Hold hold) {
        boolean own = hold.owner().equals(command.owner());
        boolean notNewer = hold.tenure() <= command.tenure();
        return switch (command.verb()) {
            case RELEASE -> own && notNewer && command.holds() == 0;
            case DOWNGRADE -> own && hold.tenure() == command.tenure() && hold.side() == Side.WRITE;
            case HANDOFF, CLOSE_AFTER ->
                command.isFrom(hold.owner(), hold.tenure()) && !isLate() && hold.side() == Side.WRITE;
            case SETTLE ->
                command.other() != null
                        && hold.owner().equals(command.other().owner())
                        && hold.tenure() <= command.other().tenure()
                        && !isLate();
            case READ_SETTLE -> isSettled() && (own || isReleased(hold));
            case FORCE_UNLOCK -> true;
            case ACQUIRE -> own && hold.tenure() < command.tenure() && command.holds() == 1 && isOnItsSide(hold);
            default -> false;
        };
    }

    /** {@return whether a read hold takes the place of one that its client has released} */
    private boolean isSettled() {
        Hold own = before.holds.get(command.owner());
        return before.isShared()
                && (own == null || own.tenure() < command.tenure())
                && before.holds.values().stream().anyMatch(this::isReleased);
    }

    private boolean isReleased(Hold hold) {
        return command.other() != null
                && hold.owner().equals(command.other().owner())
                && hold.tenure() <= command.other().tenure();
    }

    private boolean isOnItsSide(Hold hold) {
        return hold.side() == command.side();
    }

    /**
     * {@return whether the client's place in line is given up} It does not wait any more, or has released the lock itself, or
     * is admitted.
     */
    boolean isLeaving(Entry entry) {
        boolean notNewer = entry.tenure() <= command.tenure();
        boolean ownClient = notNewer && entry.client().equals(command.client());
        boolean writes = before.writers.containsValue(entry);
        if (command.verb() == Verb.ACQUIRE) {
            return ownClient && !writes && passesAll();
        }
        if (command.verb() != Verb.RELEASE || command.holds() > 0) {
            return false;
        }
        boolean givesUp =
                notNewer && entry.owner().equals(command.owner()) && !before.holds.containsKey(command.owner());
        return givesUp || (ownClient && writes && !before.isShared() && !ending().isEmpty());
    }

    /** {@return whether a reader asks for a place which writers bar from those that hold the lock} */
    boolean isBarred() {
        return command.verb() == Verb.ACQUIRE
                && command.side() == Side.READ
                && command.joins()
                && before.isShared()
                && !before.isOver(nowMs())
                && !before.writers.isEmpty()
                && !before.holds.containsKey(command.owner());
    }

    /** {@return whether none of the writers that bar the reader is subscribed} */
    boolean passesAll() {
        return isBarred() && before.writers.values().stream().noneMatch(entry -> listens(entry.client(), Side.WRITE));
    }

    /** {@return whether the command came late, and has its owner granted the lock at a newer place} */
    boolean isOvertaken() {
        Hold now = after().holds.get(command.owner());
        return passesAll() && now != null && now.tenure() > command.tenure();
    }

    /** {@return whether an attempt looks at the leases of all readers} */
    boolean isLooking() {
        return command.verb() == Verb.ACQUIRE
                && command.holds() == 1
                && before.isShared()
                && nowMs() > before.due
                && !before.holds.containsKey(command.owner())
                && (command.side() == Side.WRITE || !before.writers.isEmpty());
    }

    /** {@return whether clients that join no line have their turn: not while readers in line have waited for a write phase} */
    boolean isTurn() {
        int writers = before.writers.size();
        int waiting = before.readers.isEmpty() ? writers : Math.max(2 * writers, 1);
        long since = nowMicros - before.opened;
        boolean isTurnOfReaders = !before.isShared() && !before.readers.isEmpty();
        if (before.opened == 0 || waiting == 0 || isTurnOfReaders) {
            return false;
        }
        boolean all = since >= TURN_MICROS && before.grants >= waiting;
        boolean turns = before.grants >= 4L * waiting && since >= 1_000_000;
        boolean pollers = before.grants >= 16 && (turns || since >= 2_500_000);
        return all && (others() > 0 || pollers);
    }

    /** {@return the first writer in line that is subscribed and does not leave} */
    Optional<Entry> firstWriter(Map<Long, Entry> writers) {
        return writers.values().stream()
                .filter(entry -> !isLeaving(entry) && listens(entry.client(), Side.WRITE))
                .findFirst();
    }

    /** {@return the readers in line that are subscribed and do not leave} */
    List<Entry> waitingReaders() {
        return before.readers.values().stream()
                .filter(entry -> !isLeaving(entry) && listens(entry.client(), Side.READ))
                .toList();
    }

    /** {@return the holds after the command that were not there before} */
    List<Hold> begun() {
        return after().holds.values().stream()
                .filter(hold -> before.hold(hold.owner(), hold.tenure()) == null)
                .toList();
    }
}
