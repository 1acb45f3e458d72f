package dev.holdfast.script.readwrite;

import dev.holdfast.script.readwrite.ReadWriteCommand.Side;
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
            case FORCE_UNLOCK -> true;
            case ACQUIRE -> own && hold.tenure() < command.tenure() && command.holds() == 1 && isOnItsSide(hold);
            default -> false;
        };
    }

    private boolean isOnItsSide(Hold hold) {
        return hold.side() == command.side();
    }

    /** {@return whether a release gives the client's place in line up} */
    boolean isLeaving(Entry entry) {
        return command.verb() == ReadWriteCommand.Verb.RELEASE
                && command.holds() == 0
                && entry.owner().equals(command.owner())
                && entry.tenure() <= command.tenure()
                && !before.holds.containsKey(command.owner());
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
