package dev.holdfast.cli;

import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastBuilder;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockEvent;
import dev.holdfast.LockException;
import dev.holdfast.LockListener;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * {@code holdfast run}: one thread receives what happens as {@link RunEvent}s, asks the {@link Supervision} what is to be
 * done, and does it. All other threads only add events.
 */
final class Run {
    /** How often the processes are looked at that were signalled. */
    private static final Duration LOOK = Duration.ofMillis(20);

    private static final Duration LONG = Duration.ofHours(1);

    private final RunSettings settings;
    private final Console console;
    private final Supervision supervision;
    private final BlockingQueue<RunEvent> events = new LinkedBlockingQueue<>();
    private final CompletableFuture<String> owner = new CompletableFuture<>();

    private @Nullable Holdfast client;
    private @Nullable LockCall call;
    private @Nullable Lease lease;
    private @Nullable RunningCommand running;
    private int exitCode;

    private Run(RunSettings settings, Console console) {
        this.settings = settings;
        this.console = console;
        this.supervision = new Supervision(settings.endTerms());
    }

    /**
     * Connects, acquires the lock, runs the command, and releases the lock when it has ended.
     *
     * @return the exit code
     */
    static int execute(RunSettings settings, HoldfastBuilder builder, Signals signals, Console console)
            throws InterruptedException {
        Run run = new Run(settings, console);
        signals.deliverTo(name -> run.events.add(new RunEvent.Signalled(name)));
        run.connect(builder.watchdogTimeout(settings.watchdog()));
        try {
            run.supervise();
        } finally {
            run.endCommand(); // it has ended, unless there was an exception
        }
        return run.release();
    }

    /** Connects on a thread of its own, so that a signal need not wait for it. */
    private void connect(HoldfastBuilder builder) {
        builder.addListener(new Listener());
        Thread connecting = new Thread(
                () -> {
                    try {
                        events.add(new RunEvent.Connected(builder.build()));
                    } catch (RuntimeException e) {
                        events.add(new RunEvent.Failed(e));
                    }
                },
                "connect");
        connecting.setDaemon(true);
        connecting.start();
    }

    private final class Listener implements LockListener {
        @Override
        public void acquired(LockEvent.Acquired event) {
            owner.complete(event.owner());
        }

        @Override
        public void renewed(LockEvent.Renewed event) {
            events.add(new RunEvent.Renewed());
        }
    }

    private void supervise() throws InterruptedException {
        while (supervision.state() != RunState.ENDED) {
            RunEvent event = events.poll(untilDue().toMillis() + 1, TimeUnit.MILLISECONDS);
            if (event != null) {
                handle(event);
            }
            look();
        }
    }

    private Duration untilDue() {
        if (running == null) {
            return LONG;
        }
        return switch (supervision.state()) {
            case STOPPING, AT_RISK, KILLED -> LOOK;
            case WAITING, RUNNING, ENDED -> supervision.untilDue(running.remaining());
        };
    }

    private void handle(RunEvent event) {
        if (event instanceof RunEvent.Connected connected) {
            client = connected.client();
            acquire(connected.client());
        } else if (event instanceof RunEvent.Granted granted) {
            lease = granted.lease();
            if (hasWholeLease(granted.lease())) {
                perform(supervision.granted(), SignalName.TERM);
            }
        } else if (event instanceof RunEvent.Busy) {
            if (!settings.quietIfBusy()) {
                console.say(settings.protection().busy(settings.name()));
            }
            giveUp(settings.busyCode());
        } else if (event instanceof RunEvent.Failed failed) {
            console.say(Failures.message(failed.why()));
            giveUp(Failures.exitCode(failed.why()).code());
        } else if (event instanceof RunEvent.Signalled signalled) {
            exitCode = ExitCode.SIGNAL.code() + signalled.name().number();
            perform(supervision.signalled(), signalled.name());
        } else if (event instanceof RunEvent.AtRisk) {
            perform(supervision.atRisk(), SignalName.TERM);
        } else if (event instanceof RunEvent.Renewed && running != null) {
            running.renewed();
        }
    }

    /** The lock, and what becomes of it, is reported by events. */
    private void acquire(Holdfast connected) {
        LockCall started;
        try {
            started = settings.protection().start(connected, settings.name(), settings.longestWait(), settings.lease());
        } catch (IllegalArgumentException e) { // the name
            events.add(new RunEvent.Failed(e));
            return;
        }
        call = started;
        CompletableFuture<Optional<Lease>> unused = started.outcome().whenComplete((granted, failure) -> {
            if (failure != null) {
                events.add(new RunEvent.Failed(
                        failure instanceof RuntimeException expected ? expected : new IllegalStateException(failure)));
            } else if (granted.isEmpty()) {
                events.add(new RunEvent.Busy());
            } else {
                watch(granted.get());
            }
        });
    }

    private void watch(Lease granted) {
        granted.onAtRisk(remaining -> events.add(new RunEvent.AtRisk()));
        CompletionStage<Void> unused = granted.lost().thenRun(() -> events.add(new RunEvent.Changed()));
        events.add(new RunEvent.Granted(granted));
    }

    /**
     * A lock that was passed on by its last owner has a lease of a command timeout until its first renewal, which is less
     * than a command is to have when it starts.
     *
     * @return whether the lease is as long as the terms for the end of the command assume; if not, the run has failed
     */
    private boolean hasWholeLease(Lease granted) {
        if (settings.isLongEnough(granted.remaining())) {
            return true;
        }
        try {
            granted.extend(settings.watchdog());
            return true;
        } catch (LeaseLostException e) {
            console.say(Failures.message(e));
            giveUp(settings.lostCode());
            return false;
        } catch (LockException e) {
            handle(new RunEvent.Failed(e));
            return false;
        }
    }

    /** Looks whether the command has ended, and how much of the lease is left. */
    private void look() {
        RunningCommand command = running;
        if (command == null || !supervision.hasCommand()) {
            return;
        }
        if (command.hasEnded(supervision.state())) {
            exitCode = command.child().exitCode();
            supervision.commandEnded(command.remaining().compareTo(Duration.ZERO) > 0);
        } else {
            perform(supervision.left(command.remaining()), SignalName.TERM);
        }
    }

    private void perform(RunAction action, SignalName signal) {
        switch (action) {
            case NOTHING -> {}
            case START -> start();
            case GIVE_UP -> {
                if (call != null) {
                    call.giveUp().ifPresent(granted -> lease = granted);
                }
            }
            case FORWARD -> forward(signal);
            case TERMINATE -> {
                console.say(settings.protection().subject(settings.name()) + " is at risk: the command is told to end");
                command().child().terminate();
            }
            case KILL -> command().child().kill();
        }
    }

    private RunningCommand command() {
        return Objects.requireNonNull(running, "there is no command");
    }

    private void start() {
        try {
            RunningCommand command = RunningCommand.start(
                    settings,
                    Objects.requireNonNull(lease),
                    owner.completeOnTimeout("unknown", 1, TimeUnit.SECONDS).join());
            command.child().onExit(() -> events.add(new RunEvent.Changed()));
            running = command;
        } catch (IOException e) {
            ExitCode why = Program.whyNotStarted(settings.command().get(0), console.environment());
            console.say(
                    why == ExitCode.NOT_FOUND
                            ? "there is no command '" + settings.command().get(0) + "'"
                            : String.valueOf(e.getMessage()));
            giveUp(why.code());
        }
    }

    private void giveUp(int code) {
        exitCode = code;
        supervision.notStarted();
    }

    /** What was typed at the terminal was sent to the command as well. */
    private void forward(SignalName signal) {
        command().child().noteDescendants();
        if (!signal.isTyped() || !Terminal.interruptsThisProcess()) {
            command().child().signal(signal);
        }
    }

    private void endCommand() {
        if (running != null) {
            running.dismissGuard();
            if (running.child().isAlive()) {
                running.child().kill();
            }
        }
    }

    /**
     * Releases the lock and closes the client, and returns the exit code. A client that is not connected, or whose Redis
     * does not answer, is not closed: that would take longer than the end of the process.
     */
    private int release() {
        boolean answered = client != null;
        boolean lost = supervision.isEndangered();
        if (lease != null) {
            try {
                lease.close();
            } catch (LeaseLostException e) {
                if (running != null) { // otherwise there was no command that the lock protected
                    lost = true;
                    console.say("the command has ended with " + exitCode + " under a "
                            + settings.protection().noun() + " that was lost: " + e.getMessage());
                }
            } catch (LockException e) {
                answered = false;
                console.say("the " + settings.protection().noun()
                        + " is not released, and is free when its lease ends: " + e.getMessage());
            }
        }
        if (answered && client != null) {
            client.close();
        }
        return lost ? settings.lostCode() : exitCode;
    }
}
