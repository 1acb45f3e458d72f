package dev.holdfast;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The state of a semaphore in Redis at one moment. A value. */
public final class SemaphoreInfo {
    private final String name;
    private final OptionalInt limit;
    private final List<Holder> holders;
    private final List<Request> line;

    private SemaphoreInfo(String name, OptionalInt limit, List<Holder> holders, List<Request> line) {
        this.name = name;
        this.limit = limit;
        this.holders = List.copyOf(holders);
        this.line = List.copyOf(line);
    }

    /** {@return a state with these values, for tests of code that reads it} */
    public static SemaphoreInfo of(String name, OptionalInt limit, List<Holder> holders, List<Request> line) {
        return new SemaphoreInfo(name, limit, holders, line);
    }

    /** {@return the semaphore's name} */
    public String name() {
        return name;
    }

    /** {@return the number of permits that the last request has named; empty if the semaphore is not in use} */
    public OptionalInt limit() {
        return limit;
    }

    /** {@return how many permits are held} */
    public int held() {
        return holders.stream().mapToInt(Holder::permits).sum();
    }

    /** {@return those that hold permits, in the order of their numbers; unmodifiable} */
    public List<Holder> holders() {
        return holders;
    }

    /** {@return the requests in line, the one that is granted next first: one for each client that waits; unmodifiable} */
    public List<Request> line() {
        return line;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SemaphoreInfo that
                && name.equals(that.name)
                && limit.equals(that.limit)
                && holders.equals(that.holders)
                && line.equals(that.line);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, limit, holders, line);
    }

    @Override
    public String toString() {
        return "SemaphoreInfo[name=" + name + ", limit=" + limit + ", holders=" + holders + ", line=" + line + "]";
    }

    /** One that holds permits. A detail that cannot be known is empty. A value. */
    public static final class Holder {
        private final String owner;
        private final @Nullable String label;
        private final int permits;
        private final int number;
        private final @Nullable Instant since;
        private final Duration remainingLease;

        private Holder(
                String owner,
                @Nullable String label,
                int permits,
                int number,
                @Nullable Instant since,
                Duration remainingLease) {
            this.owner = owner;
            this.label = label;
            this.permits = permits;
            this.number = number;
            this.since = since;
            this.remainingLease = remainingLease;
        }

        /**
         * {@return a holder with these values, for tests of code that reads it}
         *
         * @param label null if its client has none
         * @param since null if it is not known
         */
        public static Holder of(
                String owner,
                @Nullable String label,
                int permits,
                int number,
                @Nullable Instant since,
                Duration remainingLease) {
            return new Holder(owner, label, permits, number, since, remainingLease);
        }

        /** {@return the owner, {@code "<client id>:<owner id>"}} */
        public String owner() {
            return owner;
        }

        /** {@return the {@linkplain HoldfastBuilder#label label} of the owner's client; empty if it has none} */
        public Optional<String> label() {
            return Optional.ofNullable(label);
        }

        /** {@return how many permits it holds} */
        public int permits() {
            return permits;
        }

        /** {@return its {@linkplain Permits#number() number}} */
        public int number() {
            return number;
        }

        /**
         * {@return when it requested the permits, by the clock of its machine, accurate to a round trip} If it waited in line, this is
         * the time of the attempt that was granted.
         */
        public Optional<Instant> since() {
            return Optional.ofNullable(since);
        }

        /** {@return how long Redis keeps the permits for it without renewal} */
        public Duration remainingLease() {
            return remainingLease;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Holder that
                    && owner.equals(that.owner)
                    && Objects.equals(label, that.label)
                    && permits == that.permits
                    && number == that.number
                    && Objects.equals(since, that.since)
                    && remainingLease.equals(that.remainingLease);
        }

        @Override
        public int hashCode() {
            return Objects.hash(owner, label, permits, number, since, remainingLease);
        }

        @Override
        public String toString() {
            return "Holder[owner=" + owner + ", label=" + label + ", permits=" + permits + ", number=" + number
                    + ", since=" + since + ", remainingLease=" + remainingLease + "]";
        }
    }

    /** A request in line. A value. */
    public static final class Request {
        private final String owner;
        private final @Nullable String label;
        private final int permits;
        private final int limit;

        private Request(String owner, @Nullable String label, int permits, int limit) {
            this.owner = owner;
            this.label = label;
            this.permits = permits;
            this.limit = limit;
        }

        /**
         * {@return a request with these values, for tests of code that reads it}
         *
         * @param label null if its client has none
         */
        public static Request of(String owner, @Nullable String label, int permits, int limit) {
            return new Request(owner, label, permits, limit);
        }

        /** {@return the owner for which its client waits, {@code "<client id>:<owner id>"}} */
        public String owner() {
            return owner;
        }

        /** {@return the {@linkplain HoldfastBuilder#label label} of the owner's client; empty if it has none} */
        public Optional<String> label() {
            return Optional.ofNullable(label);
        }

        /** {@return how many permits it requests} */
        public int permits() {
            return permits;
        }

        /** {@return how many permits there are, as it names them} */
        public int limit() {
            return limit;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Request that
                    && owner.equals(that.owner)
                    && Objects.equals(label, that.label)
                    && permits == that.permits
                    && limit == that.limit;
        }

        @Override
        public int hashCode() {
            return Objects.hash(owner, label, permits, limit);
        }

        @Override
        public String toString() {
            return "Request[owner=" + owner + ", label=" + label + ", permits=" + permits + ", limit=" + limit + "]";
        }
    }
}
