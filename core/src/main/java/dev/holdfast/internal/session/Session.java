package dev.holdfast.internal.session;

import dev.holdfast.LeakTracking;
import dev.holdfast.internal.report.Callbacks;
import dev.holdfast.internal.report.EventPublisher;
import dev.holdfast.watchdog.Deadlines;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a client has whether or not it is connected: its identity, its clock and timers, its settings, and the ways in
 * which it reports to its users.
 */
public final class Session {
    private final Deadlines deadlines;
    private final ScheduledExecutorService pauses;
    private final OwnerIds owners;
    private final Callbacks callbacks;
    private final EventPublisher events;
    private final LockExceptions exceptions;
    private final Admission admission = new Admission();
    private final String address;
    private final LongSupplier wallMillis;
    private final TenureSequence tenures;
    private final Duration watchdogTimeout;
    private final double driftRatio;
    private final long commandTimeoutNanos;
    private volatile long outageNanos;
    private final boolean awaitsReleases;
    private final boolean interruptsOnLoss;
    private final LeakTracking leakTracking;

    /**
     * @param deadlines also the monotonic clock
     * @param wallMillis the wall clock, normally {@code System::currentTimeMillis}
     * @param pauses schedules waits that are shorter than a tick of the deadlines
     */
    public Session(Settings settings, Deadlines deadlines, LongSupplier wallMillis, ScheduledExecutorService pauses) {
        this(settings, deadlines, wallMillis, pauses, settings.outage(false));
    }

    /**
     * As above.
     *
     * @param outage how long a command that has no deadline of its own waits for a connection, or for its execution
     */
    public Session(
            Settings settings,
            Deadlines deadlines,
            LongSupplier wallMillis,
            ScheduledExecutorService pauses,
            Duration outage) {
        this.deadlines = deadlines;
        this.address = settings.address();
        this.wallMillis = wallMillis;
        this.pauses = pauses;
        this.tenures = new TenureSequence(wallMillis);
        this.owners = new OwnerIds(settings.label());
        this.callbacks = new Callbacks(settings.callbackExecutor());
        this.events = new EventPublisher(settings.listeners(), callbacks, owners.clientId(), this::now);
        this.exceptions = new LockExceptions(owners);
        this.watchdogTimeout = settings.watchdogTimeout();
        this.driftRatio = (double) settings.driftAllowance().toNanos() / watchdogTimeout.toNanos();
        this.outageNanos = outage.toNanos();
        this.commandTimeoutNanos = settings.commandTimeout().toNanos();
        this.awaitsReleases = settings.awaitReleases();
        this.interruptsOnLoss = settings.interruptOnLoss();
        this.leakTracking = settings.leakTracking();
    }

    public OwnerIds owners() {
        return owners;
    }

    /** {@return the address of Redis as it was configured, which clients that are configured alike have in common} */
    public String address() {
        return address;
    }

    public Deadlines deadlines() {
        return deadlines;
    }

    public Callbacks callbacks() {
        return callbacks;
    }

    public EventPublisher events() {
        return events;
    }

    public LockExceptions exceptions() {
        return exceptions;
    }

    public Admission admission() {
        return admission;
    }

    public long now() {
        return deadlines.nanoTime();
    }

    /** {@return the wall clock, in milliseconds since 1970} */
    public LongSupplier wallMillis() {
        return wallMillis;
    }

    public long nextTenure() {
        return tenures.next();
    }

    /** {@return whether this client may have drawn this tenure} */
    public boolean hasDrawn(long tenure) {
        return tenures.hasDrawn(tenure);
    }

    public Duration watchdogTimeout() {
        return watchdogTimeout;
    }

    /** {@return by how much the server's clock may run ahead of this one within this time} */
    public long driftNanos(long nanos) {
        return Math.round(nanos * driftRatio);
    }

    public long commandTimeoutNanos() {
        return commandTimeoutNanos;
    }

    /** {@return how long a command waits for a connection, or for its execution} */
    public long outageNanos() {
        return outageNanos;
    }

    /** Redis has turned out to be of another sort than was assumed. */
    public void outage(Duration longest) {
        outageNanos = longest.toNanos();
    }

    /** {@return whether the caller of a blocking release waits for its outcome} */
    public boolean awaitsReleases() {
        return awaitsReleases;
    }

    /** {@return whether a thread that owns a hold is interrupted when the hold is lost} */
    public boolean interruptsOnLoss() {
        return interruptsOnLoss;
    }

    /** {@return where the caller acquires a handle; null if leak tracking does not record it} */
    public @Nullable AcquireOrigin origin() {
        return AcquireOrigin.of(leakTracking);
    }

    /** Runs the task after a pause, which may be shorter than a tick of the timer; at once if the client is closed. */
    @SuppressWarnings("FutureReturnValueIgnored") // the task throws nothing, and is never cancelled
    public void after(Duration pause, Runnable task) {
        try {
            pauses.schedule(task, pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            task.run();
        }
    }
}
