package dev.holdfast;

import java.util.List;

/**
 * Who holds a lock, in which tenure and how often. {@link #after} says what a command means that comes once and in order.
 *
 * @param owner empty if nobody holds it
 */
record LockState(String owner, long tenure, int holds) {
    static final LockState FREE = new LockState("", 0, 0);

    LockState after(ScriptCommand command) {
        return switch (command.verb()) {
            case ACQUIRE -> equals(FREE) || command.isAbout(this) ? heldBy(command) : this;
            case RELEASE -> command.isAbout(this) ? (command.holds() == 0 ? FREE : heldBy(command)) : this;
            case RENEW -> this;
            case HANDOFF -> isSameHoldAs(command.from()) ? heldBy(command) : this;
        };
    }

    private static LockState heldBy(ScriptCommand command) {
        return new LockState(command.owner(), command.tenure(), command.holds());
    }

    boolean isSameHoldAs(LockState other) {
        return owner.equals(other.owner) && tenure == other.tenure;
    }

    /** Reads an answer of {@code inspect.lua}. */
    static LockState read(Object inspected) {
        if (!(inspected instanceof List<?> entries)) {
            return FREE;
        }
        String owner = "";
        long tenure = 0;
        int holds = 0;
        for (int i = 1; i < entries.size(); i += 2) {
            String field = String.valueOf(entries.get(i));
            if (field.endsWith(":token")) {
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
        return new LockState(owner, tenure, holds);
    }
}
