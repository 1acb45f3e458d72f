package dev.holdfast.campaign.run;

/** The result of a run. */
public enum Ending {
    /** Every round was played, everything could be judged, and no violation was found. */
    GOOD(0),
    /** A rule was violated. */
    VIOLATED(1),
    /** No violation was found, but not everything could be judged: it is not known that all rules held. */
    UNDECIDED(3),
    /** No violation was found before the run ended early, by a failure of something other than a lock. */
    CUT_SHORT(4);

    private final int status;

    Ending(int status) {
        this.status = status;
    }

    /** {@return the exit status of the process} */
    public int status() {
        return status;
    }

    /** @param cutShort whether a round could not be played to its end */
    static Ending of(Tally tally, boolean cutShort) {
        if (!tally.violations().isEmpty()) {
            return VIOLATED;
        } else if (cutShort) {
            return CUT_SHORT;
        }
        return tally.undecided().isEmpty() ? GOOD : UNDECIDED;
    }
}
