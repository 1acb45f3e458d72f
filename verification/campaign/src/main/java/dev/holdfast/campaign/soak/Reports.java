package dev.holdfast.campaign.soak;

import java.util.List;
import java.util.function.BooleanSupplier;

/** Reports what an actor has had to the parent process. */
final class Reports {
    private final Kind kind;
    private final Turn.Setting setting;

    Reports(Kind kind, Turn.Setting setting) {
        this.kind = kind;
        this.setting = setting;
    }

    /**
     * Works while something is held, which was just granted, and reports for how long it was certainly valid. The clock is read after
     * the grant, and before the check at the end.
     *
     * @param names of what is held together
     */
    void hold(List<String> names, BooleanSupplier valid, Runnable work, int weight, int capacity, long token) {
        long from = System.nanoTime();
        work.run();
        long checked = System.nanoTime();
        long until = valid.getAsBoolean() ? checked : from;
        for (String name : names) {
            report(name, from, until, weight, capacity, token);
        }
    }

    /** A latch was used. */
    void used() {
        long now = System.nanoTime();
        report("", now, now, 0, 0, 0);
    }

    private void report(String name, long from, long until, int weight, int capacity, long token) {
        setting.parent()
                .accept(new SoakAnswer.Worked(setting.client(), kind, name, from, until, weight, capacity, token));
    }
}
