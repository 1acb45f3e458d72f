package dev.holdfast.cli;

import dev.holdfast.Lease;
import dev.holdfast.Permits;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The command that runs under a lease, with the guard beside it. Not safe for use by several threads. */
final class RunningCommand {
    private final Lease lease;
    private final Child child;
    private final Optional<Guard> guard;

    private RunningCommand(Lease lease, Child child, Optional<Guard> guard) {
        this.lease = lease;
        this.child = child;
        this.guard = guard;
    }

    /**
     * Starts the guard, and then the command.
     *
     * @throws IOException if either cannot be started
     */
    static RunningCommand start(RunSettings settings, Lease lease, String owner) throws IOException {
        Optional<Guard> guard = Guard.start(owner, settings.endTerms(), lease::remaining);
        try {
            Child child = Child.start(settings.command(), environment -> change(environment, settings, lease, owner));
            guard.ifPresent(present -> present.assign(child.pid()));
            return new RunningCommand(lease, child, guard);
        } catch (IOException e) {
            guard.ifPresent(Guard::dismiss);
            throw e;
        }
    }

    private static void change(Map<String, String> environment, RunSettings settings, Lease lease, String owner) {
        environment.put(Variable.LOCK.word(), settings.name());
        environment.put(Variable.OWNER.word(), owner);
        if (settings.protection() == LockChoice.FENCED) {
            environment.put(Variable.TOKEN.word(), Long.toString(lease.token()));
        }
        if (lease instanceof Permits permits) {
            environment.put(Variable.NUMBER.word(), Integer.toString(permits.number()));
        }
        if (!settings.passesAddress()) {
            environment.remove(Variable.REDIS_URI.word());
        }
    }

    Child child() {
        return child;
    }

    /** {@return how long the lease lasts without a further renewal; zero if the lock is lost} */
    Duration remaining() {
        return lease.remaining();
    }

    /** The lease was renewed: the guard has to act later. */
    void renewed() {
        guard.ifPresent(Guard::renew);
    }

    /**
     * {@return whether the command has ended} If it was signalled, with all descendants that it had then; otherwise these
     * are its own business, such as a daemon that it was to start.
     */
    boolean hasEnded(RunState state) {
        return !child.isAlive() && (state == RunState.RUNNING || !child.hasSurvivors());
    }

    void dismissGuard() {
        guard.ifPresent(Guard::dismiss);
    }
}
