package dev.holdfast.watchdog;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A subject that records its notifications, each with its time in milliseconds. */
class Holder implements LeaseSubject {
    private final String name;
    private final Rig rig;
    private final List<String> news = Collections.synchronizedList(new ArrayList<>());

    volatile boolean abandoned;
    volatile boolean failing;

    Holder(String name, Rig rig) {
        this.name = name;
        this.rig = rig;
    }

    List<String> news() {
        return news;
    }

    @Override
    public void renewed() {
        note("renewed");
    }

    @Override
    public void atRisk(long remainingNanos) {
        note("at risk, " + remainingNanos / 1_000_000 + " left");
    }

    @Override
    public void lost(LossCause loss) {
        note("lost " + loss);
    }

    @Override
    public boolean isAbandoned() {
        if (failing) {
            throw new IllegalStateException("made to fail");
        }
        return abandoned;
    }

    @Override
    public void abandoned(long remainingNanos) {
        note("abandoned, " + remainingNanos / 1_000_000 + " left");
    }

    private void note(String what) {
        news.add(rig.millis() + " " + what);
        if (failing) {
            throw new IllegalStateException("made to fail");
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
