package dev.holdfast.campaign.run;

/** How a run ends, for whoever started it. */
public enum Ending {
    /** Every round was played, everything could be judged, and nothing was found. */
    GOOD(0),
    /** A lock was seen to lie. */
    VIOLATED(1),
    /** Nothing was found, but not everything could be judged: it is not known to be fine. */
    UNDECIDED(3),
    /** Nothing was found before something other than a lock failed, which ended the run. */
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
