package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.Event.Inspected;
import dev.holdfast.campaign.history.Event.Started;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Operation;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Nothing is left: no key, no channel, no connection, no local entry, no pending timeout, no thread. The server, and
 * each process that was not killed, must have been inspected.
 */
final class Residue implements Checker {
    @Override
    public Verdict check(History history) {
        Verdict.Draft draft = new Verdict.Draft("nothing is left");
        Windows windows = new Windows(history);
        Set<String> inspected =
                history.all(Inspected.class).map(Inspected::where).collect(Collectors.toSet());
        history.all(Inspected.class).forEach(inspection -> {
            draft.judged(1);
            inspection.left().forEach(thing -> draft.violated(inspection.at(), inspection.where(), thing + " is left"));
        });
        history.all(Started.class)
                .map(Started::process)
                .filter(process -> windows.killed(process) == Operation.NEVER)
                .filter(process -> !inspected.contains(process))
                .forEach(process -> draft.undecided("there was no inspection of " + process));
        if (!inspected.contains(Inspected.SERVER)) {
            draft.undecided("there was no inspection of the server");
        }
        return draft.verdict();
    }
}
