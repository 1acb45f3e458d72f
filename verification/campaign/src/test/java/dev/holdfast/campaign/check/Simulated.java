package dev.holdfast.campaign.check;

import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.Event;
import dev.holdfast.campaign.history.Event.Called;
import dev.holdfast.campaign.history.Event.Returned;
import dev.holdfast.campaign.history.History;
import dev.holdfast.campaign.history.Loss;
import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.history.Outcome;
import dev.holdfast.campaign.history.What;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The results of a correct lock for several owners that contend for it: calls begin before they take effect and return
 * afterwards, so many overlap. Some wait, some attempts are refused, some owners re-enter, some releases fail, and some
 * waiters are interrupted.
 */
final class Simulated {
    private static final long STEP = 10_000;

    private final Random random;
    private final List<Event> events = new ArrayList<>();
    /** The time from which each owner can begin its next call, since its calls are sequential. */
    private final long[] ready;

    private long now = 1;
    private long number;
    private long token;

    private Simulated(long seed, int owners) {
        this.random = new Random(seed);
        this.ready = new long[owners];
    }

    /** {@return a history of at least this many operations} */
    static History of(long seed, int owners, int operations) {
        Simulated lock = new Simulated(seed, owners);
        while (lock.number < operations) {
            lock.turn();
        }
        return new History(lock.events);
    }

    /** The lock is free; an owner that called long ago or just now acquires it, and releases it. */
    private void turn() {
        int owner = random.nextInt(ready.length);
        token++;
        now = Math.max(now, ready[owner]) + some();
        long called = ready[owner];
        add(owner, What.LOCK, called, now, Outcome.GRANTED, token, 1);
        boolean enters = random.nextInt(3) == 0;
        if (enters) {
            call(owner, What.LOCK, Outcome.GRANTED, token, 2);
        }
        for (int others = random.nextInt(4); others > 0; others--) {
            busy(owner, random.nextInt(ready.length));
        }
        if (enters) {
            call(owner, What.UNLOCK, Outcome.RELEASED, 0, 1);
        }
        call(owner, What.UNLOCK, random.nextInt(50) == 0 ? Outcome.FAILED : Outcome.RELEASED, 0, 0);
    }

    private void busy(int holder, int other) {
        if (other != holder && ready[other] < now) {
            now += some();
            boolean waits = random.nextInt(20) == 0;
            add(
                    other,
                    waits ? What.LOCK : What.TRY,
                    ready[other],
                    now,
                    waits ? Outcome.INTERRUPTED : Outcome.REFUSED,
                    0,
                    0);
        }
    }

    /** The owner's next call takes effect now. */
    private void call(int owner, What what, Outcome outcome, long token, int holds) {
        long called = Math.max(ready[owner], now);
        now = called + some();
        add(owner, what, called, now, outcome, token, holds);
    }

    private void add(int owner, What what, long called, long effect, Outcome outcome, long token, int holds) {
        Op op = new Op("p", ++number);
        long returned = effect + some();
        events.add(new Called(
                called, op, what, By.BLOCKING, Story.LOCK, false, "p:" + owner, what == What.LOCK ? -1 : 0, 0));
        events.add(new Returned(returned, op, outcome, token, holds, Loss.NONE));
        ready[owner] = returned + some();
    }

    private long some() {
        return 1 + random.nextLong(STEP);
    }
}
