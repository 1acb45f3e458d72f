package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.History;
import java.util.List;

/** Judges a history by one rule. A pure function, and thread-safe. */
public interface Checker {
    Verdict check(History history);

    /** {@return the checkers of all rules, for locks with these terms} */
    static List<Checker> all(Terms terms) {
        return List.of(
                new Exclusion(terms),
                new Linearizability(terms),
                new Tokens(),
                new Writes(),
                new Losses(terms),
                new Alarms(terms),
                new Turns(terms),
                new WakeUps(terms),
                new Overtaking(terms),
                new Phases(terms),
                new Latches(terms),
                new PermitsHeld(terms),
                new PermitsInTurn(terms),
                new Pollers(terms),
                new OverlongLeases(terms),
                new Failures(terms),
                new AllOrNone(terms),
                new Members(terms),
                new AnyFree(terms),
                new KeptBusy(terms),
                new Items(),
                new Signals(terms),
                new Residue());
    }
}
