package dev.holdfast.micrometer;

import dev.holdfast.DistributedSemaphore;
import dev.holdfast.SemaphoreInfo;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The gauges of one semaphore over all clients: how many permits are held, how many there are, and how many clients wait in line.
 *
 * <pre>{@code
 * SemaphoreMeters meters = SemaphoreMeters.of(holdfast.getSemaphore("geocoder", 4));
 * meters.bindTo(registry);
 * }</pre>
 *
 * <p>Their tag {@code semaphore} is its name, so that not many should have them. The state is read in the background each
 * {@value #INTERVAL_SECONDS} seconds, by one command, from the first binding until {@link #close()}; a scrape sends nothing, and does
 * not wait. The values are NaN while they are unknown: before the first reply, and after a reading that has failed.
 *
 * <p>It can be bound to several registries. Safe for use by several threads.
 */
public final class SemaphoreMeters implements MeterBinder, AutoCloseable {
    private static final int INTERVAL_SECONDS = 10;

    private final DistributedSemaphore semaphore;
    private final Tags tags;
    private final Duration interval;
    private final List<Registered> registered = new CopyOnWriteArrayList<>();

    /** What the last reading has found; null if it has failed. */
    private volatile @Nullable SemaphoreInfo seen;

    /** Guarded by this. Whether it is read in the background. */
    private boolean isReading;

    private volatile boolean isClosed;

    private record Registered(MeterRegistry registry, Gauge gauge) {}

    private SemaphoreMeters(DistributedSemaphore semaphore, Tags tags, Duration interval) {
        this.semaphore = Objects.requireNonNull(semaphore, "semaphore");
        this.tags = tags;
        this.interval = interval;
    }

    /** {@return the gauges of this semaphore} */
    public static SemaphoreMeters of(DistributedSemaphore semaphore) {
        return new SemaphoreMeters(semaphore, Tags.empty(), Duration.ofSeconds(INTERVAL_SECONDS));
    }

    /** {@return gauges that have these tags as well} To be called before it is used. */
    public SemaphoreMeters withTags(Tag... more) {
        return new SemaphoreMeters(semaphore, tags.and(more), interval);
    }

    /** {@return gauges of a state that is read as often} To be called before it is used. */
    SemaphoreMeters withInterval(Duration other) {
        return new SemaphoreMeters(semaphore, tags, other);
    }

    /** Registers the gauges, and begins to read the state. */
    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "holdfast.semaphore.held", "Permits that are held at present", SemaphoreInfo::held);
        gauge(
                registry,
                "holdfast.semaphore.limit",
                "Permits that there are, as the last request has named them",
                info -> info.limit().orElse(semaphore.permits()));
        gauge(
                registry,
                "holdfast.semaphore.in.line",
                "Clients that wait for permits in line at present",
                info -> info.line().size());
        synchronized (this) {
            if (isReading) {
                return;
            }
            isReading = true;
        }
        read();
    }

    private void gauge(MeterRegistry registry, String name, String description, ToDoubleFunction<SemaphoreInfo> value) {
        Gauge gauge = Gauge.builder(name, this, meters -> meters.valueOf(value))
                .description(description)
                .tags(tags.and("semaphore", semaphore.name()))
                .strongReference(true)
                .register(registry);
        registered.add(new Registered(registry, gauge));
    }

    private double valueOf(ToDoubleFunction<SemaphoreInfo> value) {
        SemaphoreInfo info = seen;
        return info == null ? Double.NaN : value.applyAsDouble(info);
    }

    private void read() {
        if (isClosed) {
            return;
        }
        inspected().whenComplete((info, failure) -> {
            seen = failure == null ? info : null;
            Executor later = CompletableFuture.delayedExecutor(interval.toMillis(), TimeUnit.MILLISECONDS);
            later.execute(this::read);
        });
    }

    /** {@return the state, or why it is unknown} A client that is closed throws. */
    private CompletionStage<SemaphoreInfo> inspected() {
        try {
            return semaphore.inspectAsync();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Removes the gauges from all registries, and reads the state no more. A second call has no effect. */
    @Override
    public void close() {
        isClosed = true;
        registered.forEach(each -> each.registry().remove(each.gauge()));
        registered.clear();
    }
}
