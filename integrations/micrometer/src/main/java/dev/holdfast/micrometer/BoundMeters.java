package dev.holdfast.micrometer;

import dev.holdfast.HoldfastStats.Counter;
import dev.holdfast.LockEvent;
import dev.holdfast.LockType;
import dev.holdfast.LossReason;
import dev.holdfast.WaitOutcome;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a client in one registry. All values of an outcome or reason are registered at once, so that a rate can be
 * computed from the first event on; those with a tag for the lock, or of another type of lock than the plain one, when the first
 * event has that value.
 */
final class BoundMeters {
    /** A hold, as events name it: an owner may have both sides of a read-write lock. */
    private record Held(String lock, LockType type, String owner) {
        static Held by(LockEvent event) {
            return new Held(event.name(), event.lockType(), event.owner());
        }
    }

    private final MeterRegistry registry;
    private final Tags tags;
    private final LockTag lockTag;
    private final HoldfastMeters source;

    private final boolean isTimed;
    private final Map<Held, LongTaskTimer.Sample> holds = new ConcurrentHashMap<>();
    private final Set<Meter> registered = ConcurrentHashMap.newKeySet();

    BoundMeters(MeterRegistry registry, Tags tags, LockTag lockTag, boolean isTimed, HoldfastMeters source) {
        this.registry = registry;
        this.tags = tags;
        this.lockTag = lockTag;
        this.source = source;
        this.isTimed = isTimed;
        gauge("holdfast.holds", "Locks that are held at present", meters -> meters.stats()
                .holds());
        gauge("holdfast.waiters", "Calls that wait for a lock at present", meters -> meters.stats()
                .waiters());
        gauge(
                "holdfast.connected",
                "1 if all connections are established, 0 if not",
                meters -> meters.isConnected() ? 1 : 0);
        counter("holdfast.acquired", Counter.ACQUIRED, "Holds that have begun");
        counter("holdfast.handoffs", Counter.HANDOFFS, "Holds that were handed off by another owner of the client");
        counter("holdfast.busy", Counter.REFUSED, "Attempts that did not wait and found the lock busy");
        counter("holdfast.failed", Counter.FAILED, "Calls for a lock that have failed");
        counter(
                "holdfast.releases.unconfirmed",
                Counter.RELEASES_UNCONFIRMED,
                "Holds whose release Redis refused or did not answer");
        counter("holdfast.renewals", Counter.RENEWALS, "Renewals of leases");
        counter("holdfast.at.risk", Counter.AT_RISK, "Leases that were not renewed in time, and not lost yet");
        counter(
                "holdfast.orphans.released",
                Counter.ORPHANS_RELEASED,
                "Grants that no caller wanted, and were released");
        counter("holdfast.unknown.outcomes", Counter.UNKNOWN_OUTCOMES, "Commands without a reply");
        counter(
                "holdfast.wake.ups.spurious",
                Counter.SPURIOUS_WAKE_UPS,
                "Waiters for conditions that were woken since a signal may have been lost");
        counter(
                "holdfast.wake.ups.last.resort",
                Counter.LAST_RESORT_WAKE_UPS,
                "Waiters for conditions that were woken after a minute");
        counter("holdfast.reconnects", Counter.RECONNECTS, "Connections that were re-established");
        counter("holdfast.events.dropped", Counter.DROPPED_EVENTS, "Events that a slow listener has missed");
        for (LossReason reason : LossReason.values()) {
            lost(reason);
        }
        if (isTimed) {
            active(LockType.PLAIN);
        }
        if (isTimed && !lockTag.isUsed()) {
            hold(LockType.PLAIN, Tags.empty());
            for (WaitOutcome outcome : WaitOutcome.values()) {
                wait(outcome, LockType.PLAIN, Tags.empty());
            }
        }
    }

    private LongTaskTimer active(LockType type) {
        return kept(LongTaskTimer.builder("holdfast.hold.active")
                .description("Holds at present, and for how long")
                .tags(tags.and("type", lowerCase(type)))
                .register(registry));
    }

    private <M extends Meter> M kept(M meter) {
        registered.add(meter);
        return meter;
    }

    private void gauge(String name, String description, ToDoubleFunction<HoldfastMeters> value) {
        kept(Gauge.builder(name, source, value)
                .description(description)
                .tags(tags)
                .strongReference(true)
                .register(registry));
    }

    private void counter(String name, Counter which, String description) {
        kept(FunctionCounter.builder(name, source, meters -> meters.stats().get(which))
                .description(description)
                .tags(tags)
                .register(registry));
    }

    private void lost(LossReason reason) {
        kept(FunctionCounter.builder(
                        "holdfast.lost", source, meters -> meters.stats().lost(reason))
                .description("Holds that were lost")
                .tags(tags.and("reason", lowerCase(reason)))
                .register(registry));
    }

    private Timer wait(WaitOutcome outcome, LockType type, Tags more) {
        return kept(Timer.builder("holdfast.wait")
                .description("How long calls waited for a lock that was busy")
                .tags(tags.and("outcome", lowerCase(outcome), "type", lowerCase(type))
                        .and(more))
                .register(registry));
    }

    private Timer hold(LockType type, Tags more) {
        return kept(Timer.builder("holdfast.hold")
                .description("How long locks were held")
                .tags(tags.and("type", lowerCase(type)).and(more))
                .register(registry));
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    void waited(LockEvent.Waited event) {
        if (isTimed) {
            wait(event.outcome(), event.lockType(), lockTag.of(event.name())).record(event.waited());
        }
    }

    void acquired(LockEvent.Acquired event) {
        if (isTimed) {
            stop(holds.put(Held.by(event), active(event.lockType()).start()));
        }
    }

    /** A hold was released, confirmed or not, or lost: it is not active any more. */
    void ended(LockEvent event) {
        stop(holds.remove(Held.by(event)));
    }

    /** Ends the samples of all holds: which of them are over is not known. */
    void forgetHolds() {
        holds.keySet().forEach(held -> stop(holds.remove(held)));
    }

    /** Counts a hold that has ended; fails if the function for the tag does. */
    void held(LockEvent event, Duration held) {
        if (isTimed) {
            hold(event.lockType(), lockTag.of(event.name())).record(held);
        }
    }

    private static void stop(LongTaskTimer.@Nullable Sample sample) {
        if (sample != null) {
            sample.stop();
        }
    }

    void remove() {
        registered.forEach(registry::remove);
    }
}
