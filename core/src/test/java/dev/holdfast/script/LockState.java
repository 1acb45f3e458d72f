package dev.holdfast.script;

import java.util.List;

/**
 * The owner, tenure, count and lease of a lock. {@link #after} computes the effect of a command that arrives once and
 * in order.
 *
 * @param owner empty if the lock is free
 * @param leaseMinutes what is left of the lease, rounded up: as it was set, within a minute of that; {@link #ENDLESS}
 * if it has no end
 */
record LockState(String owner, long tenure, int holds, int leaseMinutes) {
    static final LockState FREE = new LockState("", 0, 0, 0);

    static final int ENDLESS = -1;

    private static final int MILLIS_PER_MINUTE = 60_000;

    LockState after(RawCommand command) {
        return switch (command.verb()) {
            case ACQUIRE -> {
                boolean enters = command.isAbout(this);
                boolean adopts = command.isFirstAcquire() && owner.equals(command.owner()) && !enters;
                yield equals(FREE) || adopts || enters
                        ? heldBy(command, enters ? longer(command) : command.leaseMinutes())
                        : this;
            }
            case RELEASE ->
                command.isAbout(this) ? (command.holds() == 0 ? FREE : heldBy(command, leaseMinutes)) : this;
            case RENEW -> command.isAbout(this) ? new LockState(owner, tenure, holds, longer(command)) : this;
            case HANDOFF, CLOSE_AFTER, SETTLE ->
                isSameHoldAs(command.from()) ? heldBy(command, command.leaseMinutes()) : this;
        };
    }

    /** Within a tenure a lease never gets shorter. */
    private int longer(RawCommand command) {
        return Math.max(leaseMinutes, command.leaseMinutes());
    }

    private static LockState heldBy(RawCommand command, int leaseMinutes) {
        return new LockState(command.owner(), command.tenure(), command.holds(), leaseMinutes);
    }

    boolean isSameHoldAs(LockState other) {
        return owner.equals(other.owner) && tenure == other.tenure;
    }

    /** Reads a reply of {@code inspect.lua}. */
    static LockState read(Object inspected) {
        if (!(inspected instanceof List<?> entries)) {
            return FREE;
        }
        String owner = "";
        long tenure = 0;
        int holds = 0;
        for (int i = 1; i < entries.size(); i += 2) {
            String field = String.valueOf(entries.get(i));
            if (field.endsWith(":token") || field.startsWith("line") || field.endsWith(":line")) {
                continue;
            }
            int value = Integer.parseInt(String.valueOf(entries.get(i + 1)));
            if (field.endsWith(":tenure")) {
                tenure = value;
            } else {
                owner += field;
                holds = value;
            }
        }
        long left = Long.parseLong(String.valueOf(entries.get(0)));
        int minutes = left == -1 ? ENDLESS : Math.toIntExact((left + MILLIS_PER_MINUTE - 1) / MILLIS_PER_MINUTE);
        return new LockState(owner, tenure, holds, minutes);
    }
}
