package dev.holdfast;

import java.time.Duration;

/** An event of a lock in this client. */
public abstract class LockEvent extends HoldfastEvent {
    private final String name;
    private final LockType lockType;
    private final long ownerId;

    LockEvent(String clientId, String name, LockType lockType, long ownerId) {
        super(clientId);
        this.name = name;
        this.lockType = lockType;
        this.ownerId = ownerId;
    }

    /** {@return the lock's name, without the client's {@linkplain HoldfastBuilder#keyPrefix prefix}} */
    public String name() {
        return name;
    }

    /** {@return the lock's type} */
    public LockType lockType() {
        return lockType;
    }

    /** {@return the owner that the event is about, {@code "<client id>:<owner id>"}, as in Redis} */
    public String owner() {
        return clientId() + ":" + ownerId;
    }

    /** {@return the beginning of {@code toString}: the event's name, lock and owner, without the closing bracket} */
    String about() {
        return getClass().getSimpleName() + "[name=" + name + ", lockType=" + lockType + ", owner=" + owner();
    }

    /** A lock was acquired; re-entries do not count. */
    public static final class Acquired extends LockEvent {
        private final Duration waited;

        /** For tests of code that handles events. */
        public Acquired(String clientId, String name, LockType lockType, long ownerId, Duration waited) {
            super(clientId, name, lockType, ownerId);
            this.waited = waited;
        }

        /** {@return how long the call took, from its beginning until the lock was granted} */
        public Duration waited() {
            return waited;
        }

        @Override
        public void deliverTo(LockListener listener) {
            listener.acquired(this);
        }

        @Override
        public String toString() {
            return about() + ", waited=" + waited + "]";
        }
    }

    /** An attempt that does not wait found the lock busy, and was refused. */
    public static final class Busy extends LockEvent {
        private final Duration took;

        /** For tests of code that handles events. */
        public Busy(String clientId, String name, LockType lockType, long ownerId, Duration took) {
            super(clientId, name, lockType, ownerId);
            this.took = took;
        }

        /** {@return how long the call took, from its beginning until it was refused} */
        public Duration took() {
            return took;
        }

        @Override
        public void deliverTo(LockListener listener) {
            listener.busy(this);
        }

        @Override
        public String toString() {
            return about() + ", took=" + took + "]";
        }
    }

    /** An acquire call ended with an exception of this library. */
    public static final class Failed extends LockEvent {
        private final Duration took;
        private final RuntimeException error;

        /** For tests of code that handles events. */
        public Failed(
                String clientId, String name, LockType lockType, long ownerId, Duration took, RuntimeException error) {
            super(clientId, name, lockType, ownerId);
            this.took = took;
            this.error = error;
        }

        /** {@return how long the call took, from its beginning until it failed} */
        public Duration took() {
            return took;
        }

        /**
         * {@return the exception of the caller, usually a {@link LockException}. Its stack trace is not the caller's}
         */
        public RuntimeException error() {
            return error;
        }

        @Override
        public void deliverTo(LockListener listener) {
            listener.failed(this);
        }

        @Override
        public String toString() {
            return about() + ", took=" + took + ", error=" + error + "]";
        }
    }

    /** An acquire call that had to wait stopped waiting. */
    public static final class Waited extends LockEvent {
        private final Duration waited;
        private final WaitOutcome outcome;

        /** For tests of code that handles events. */
        public Waited(
                String clientId, String name, LockType lockType, long ownerId, Duration waited, WaitOutcome outcome) {
            super(clientId, name, lockType, ownerId);
            this.waited = waited;
            this.outcome = outcome;
        }

        /** {@return how long the call took, from its beginning until it stopped waiting} */
        public Duration waited() {
            return waited;
        }

        /** {@return how the wait ended} */
        public WaitOutcome outcome() {
            return outcome;
        }

        @Override
        public void deliverTo(LockListener listener) {
            listener.waited(this);
        }

        @Override
        public String toString() {
            return about() + ", waited=" + waited + ", outcome=" + outcome + "]";
        }
    }

    /** A lock was released in full. */
    public static final class Released extends LockEvent {
        private final Duration held;

        /** For tests of code that handles events. */
        public Released(String clientId, String name, LockType lockType, long ownerId, Duration held) {
            super(clientId, name, lockType, ownerId);
            this.held = held;
        }

        /** {@return how long the lock was held} */
        public Duration held() {
            return held;
        }

        @Override
        public void deliverTo(LockListener listener) {
            listener.released(this);
        }

        @Override
        public String toString() {
            return about() + ", held=" + held + "]";
        }
    }

    /** The release of a lock was not confirmed: Redis refused it, or did not answer. */
    public static final class ReleaseUnconfirmed extends LockEvent {
        private final Duration held;
        private final RuntimeException error;

        /** For tests of code that handles events. */
        public ReleaseUnconfirmed(
                String clientId, String name, LockType lockType, long ownerId, Duration held, RuntimeException error) {
            super(clientId, name, lockType, ownerId);
            this.held = held;
            this.error = error;
        }

        /** {@return how long the lock was held, until the release was given up} */
        public Duration held() {
            return held;
        }

        /**
         * {@return the exception of the release: a {@link ReleaseUnconfirmedException}, or another {@link LockException} if it
         * is not known whether the lock was held until then} Its stack trace is not the caller's.
         */
        public RuntimeException error() {
            return error;
        }

        @Override
        public void deliverTo(LockListener listener) {
            listener.releaseUnconfirmed(this);
        }

        @Override
        public String toString() {
            return about() + ", held=" + held + ", error=" + error + "]";
        }
    }

    /** Redis confirmed the renewal of a lease. */
    public static final class Renewed extends LockEvent {
        private final Duration held;

        /** For tests of code that handles events. */
        public Renewed(String clientId, String name, LockType lockType, long ownerId, Duration held) {
            super(clientId, name, lockType, ownerId);
            this.held = held;
        }

        /** {@return for how long the lock is held by now} */
        public Duration held() {
            return held;
        }

        @Override
        public void deliverTo(LockListener listener) {
            listener.renewed(this);
        }

        @Override
        public String toString() {
            return about() + ", held=" + held + "]";
        }
    }

    /** A renewal has had no reply, and half of the lease that was left when it was sent has passed. */
    public static final class AtRisk extends LockEvent {
        private final Duration held;
        private final Duration remaining;

        /** For tests of code that handles events. */
        public AtRisk(
                String clientId, String name, LockType lockType, long ownerId, Duration held, Duration remaining) {
            super(clientId, name, lockType, ownerId);
            this.held = held;
            this.remaining = remaining;
        }

        /** {@return for how long the lock is held by now} */
        public Duration held() {
            return held;
        }

        /** {@return after how long the lease is lost} */
        public Duration remaining() {
            return remaining;
        }

        @Override
        public void deliverTo(LockListener listener) {
            listener.atRisk(this);
        }

        @Override
        public boolean isAlarm() {
            return true;
        }

        @Override
        public String toString() {
            return about() + ", held=" + held + ", remaining=" + remaining + "]";
        }
    }

    /** A lease was lost. */
    public static final class Lost extends LockEvent {
        private final LeaseLoss loss;

        /** For tests of code that handles events. */
        public Lost(String clientId, String name, LockType lockType, long ownerId, LeaseLoss loss) {
            super(clientId, name, lockType, ownerId);
            this.loss = loss;
        }

        /** {@return the details of the loss} */
        public LeaseLoss loss() {
            return loss;
        }

        /** {@return why the lease was lost} */
        public LossReason reason() {
            return loss.reason();
        }

        @Override
        public void deliverTo(LockListener listener) {
            listener.lost(this);
        }

        @Override
        public boolean isAlarm() {
            return true;
        }

        @Override
        public String toString() {
            return about() + ", loss=" + loss + "]";
        }
    }

    /** A hold that Redis had for no caller was released: an {@linkplain HoldfastStats#orphansReleased() orphan}. */
    public static final class OrphanReleased extends LockEvent {
        /** For tests of code that handles events. */
        public OrphanReleased(String clientId, String name, LockType lockType, long ownerId) {
            super(clientId, name, lockType, ownerId);
        }

        @Override
        public void deliverTo(LockListener listener) {
            listener.orphanReleased(this);
        }

        @Override
        public String toString() {
            return about() + "]";
        }
    }
}
