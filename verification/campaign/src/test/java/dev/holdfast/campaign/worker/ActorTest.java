package dev.holdfast.campaign.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.campaign.history.Op;
import dev.holdfast.campaign.schedule.ArrivalSchedule;
import dev.holdfast.campaign.schedule.RoundPlan;
import dev.holdfast.campaign.schedule.Schedule;
import dev.holdfast.campaign.schedule.Turn;
import dev.holdfast.campaign.schedule.Turns;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An actor that is interrupted during its turns. */
@Timeout(60)
class ActorTest {
    private static final int VISITS = 200;

    private final RoundPlan plan = Schedule.round(1);
    private final Turns turns = plan.turns(plan.clients().get(0).actors().get(0), 0);
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private boolean alarmIsSet;
    private int visits;
    private boolean inside;
    private int interrupts;
    private int interruptedWaits;
    private int inspections;
    private int refusals;

    @AfterEach
    void close() {
        clock.shutdownNow();
    }

    /** In some turns there is an interrupt, whose status is preserved until the turn ends, and cleared then. */
    @Test
    void act_keptForLater() {
        act(new Place(true, () -> interrupts += Thread.currentThread().isInterrupted() ? 1 : 0));

        assertThat(interrupts).isBetween(1, VISITS - 1);
        assertThat(Thread.interrupted()).isFalse();
    }

    /** A lock that swallows an interrupt is reported. */
    @Test
    void act_swallowed() {
        assertThatThrownBy(() -> act(new Place(true, Thread::interrupted)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("swallowed");
    }

    /** The wait of a re-entry may end by the interrupt. */
    @Test
    void act_interruptEndsAWait() {
        Place place = new Place(true, () -> interrupts += Thread.currentThread().isInterrupted() ? 1 : 0);
        place.endsByInterrupt = true;

        act(place);

        assertThat(interruptedWaits).isPositive();
    }

    /**
     * The lock is inspected in some turns, but not after a refused re-entry, since Redis may briefly count its level.
     */
    @Test
    void act_inspects() {
        Place place = new Place(false, () -> {});
        place.refusesLevels = true;

        act(place);

        assertThat(refusals).isPositive();
        assertThat(inspections).isBetween(1, VISITS - refusals - 1);
        assertThat(place.wasInspectedAfterRefusal).isFalse();
    }

    /** An actor without blocking calls is not interrupted. */
    @Test
    void act_notBlocking() {
        act(new Place(false, () -> interrupts += Thread.currentThread().isInterrupted() ? 1 : 0));

        assertThat(interrupts).isZero();
    }

    private void act(Place place) {
        new Actor(
                        turns,
                        ArrivalSchedule.none(),
                        place,
                        (stay, work) -> awaitAlarm(),
                        after -> {
                            alarmIsSet = after.isPresent();
                            return Alarm.set(clock, after.map(time -> Duration.ZERO));
                        },
                        () -> visits++ == VISITS)
                .act();
    }

    private void awaitAlarm() {
        while (alarmIsSet && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
    }

    /** A lock that is granted to every caller. */
    private final class Place implements Door, Stay {
        private final boolean blocking;
        private final Runnable leaving;
        /** If set, it refuses a re-entry of an interrupted thread. */
        private boolean endsByInterrupt;
        /** If set, it refuses every re-entry. */
        private boolean refusesLevels;

        private boolean refused;
        private boolean wasInspectedAfterRefusal;

        Place(boolean blocking, Runnable leaving) {
            this.blocking = blocking;
            this.leaving = leaving;
        }

        @Override
        public boolean isBlocking() {
            return blocking;
        }

        @Override
        public boolean isReentrant() {
            return endsByInterrupt || refusesLevels;
        }

        @Override
        public Optional<Stay> enter(Turn turn) {
            if (endsByInterrupt && inside) {
                awaitAlarm();
                if (Thread.interrupted()) {
                    alarmIsSet = false;
                    interruptedWaits++;
                    return Optional.empty();
                }
            }
            if (refusesLevels && inside) {
                refusals += refused ? 0 : 1;
                refused = true;
                return Optional.empty();
            }
            inside = true;
            return Optional.of(this);
        }

        @Override
        public void leave() {
            inside = false;
            refused = false;
            leaving.run();
        }

        @Override
        public Grant grant() {
            return new Grant("stock", new Op("client-0", visits), 0);
        }

        @Override
        public boolean isValid() {
            return true;
        }

        @Override
        public void inspect() {
            inspections++;
            wasInspectedAfterRefusal |= refused;
        }

        @Override
        public void extend(Duration lease) {
            // The hold is always valid.
        }
    }
}
