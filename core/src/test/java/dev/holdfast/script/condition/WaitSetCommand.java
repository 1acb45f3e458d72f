package dev.holdfast.script.condition;

import java.util.ArrayList;
import java.util.List;

/**
 * One command for the conditions of a lock.
 *
 * @param owner that it is about; of a heartbeat, the client
 * @param tenure with which the owner holds the lock; 0 if it is not about a hold
 * @param ticket of the wait; 0 if there is none
 * @param condition that is waited for
 * @param lease milliseconds for which the client counts as alive; 0 of a heartbeat without waiters
 * @param signals of a part, in their order
 * @param waits of a heartbeat
 */
record WaitSetCommand(
        Verb verb,
        String owner,
        long tenure,
        long ticket,
        String condition,
        long lease,
        List<Signal> signals,
        List<Wait> waits) {
    static final String CHANNEL = "channel of it";

    enum Verb {
        PART("condition-part.lua"),
        LEAVE("condition-leave.lua"),
        WATCH("condition-watch.lua"),
        ROUSE("condition-rouse.lua");

        private final String file;

        Verb(String file) {
            this.file = file;
        }

        String file() {
            return file;
        }
    }

    record Signal(String condition, boolean all) {}

    record Wait(String owner, long ticket) {
        String client() {
            return clientOf(owner);
        }
    }

    static WaitSetCommand part(
            String owner, long tenure, long ticket, String condition, long lease, List<Signal> signals) {
        return new WaitSetCommand(Verb.PART, owner, tenure, ticket, condition, lease, signals, List.of());
    }

    static WaitSetCommand leave(Wait wait) {
        return new WaitSetCommand(Verb.LEAVE, wait.owner(), 0, wait.ticket(), "", 0, List.of(), List.of());
    }

    static WaitSetCommand watch(String client, long lease, List<Wait> waits) {
        return new WaitSetCommand(Verb.WATCH, client, 0, 0, "", lease, List.of(), waits);
    }

    static WaitSetCommand rouse() {
        return new WaitSetCommand(Verb.ROUSE, "", 0, 0, "", 0, List.of(), List.of());
    }

    static String clientOf(String owner) {
        return owner.substring(0, owner.indexOf(':'));
    }

    static String channelOf(String client) {
        return CHANNEL + ":" + client + ":signals";
    }

    /** {@return as it is sent} */
    List<Object> arguments(String publish, boolean counted) {
        List<Object> words = new ArrayList<>();
        switch (verb) {
            case PART -> {
                words.addAll(List.of(owner, tenure, CHANNEL, publish, counted ? 1 : 0, lease, ticket, condition));
                signals.forEach(signal -> words.addAll(List.of(signal.condition(), signal.all() ? 1 : 0)));
            }
            case LEAVE -> words.addAll(List.of(owner, ticket, CHANNEL, publish));
            case WATCH -> {
                words.addAll(List.of(owner, lease, CHANNEL, publish, counted ? "NUMSUB" : ""));
                waits.forEach(wait -> words.addAll(List.of(wait.owner(), wait.ticket())));
            }
            case ROUSE -> words.addAll(List.of(CHANNEL, publish));
        }
        return words;
    }

    @Override
    public String toString() {
        return switch (verb) {
            case PART ->
                "part(" + owner + " " + tenure + ", " + signals
                        + (ticket == 0 ? ")" : ", waits " + ticket + " for '" + condition + "', " + lease + " ms)");
            case LEAVE -> "leave(" + owner + " " + ticket + ")";
            case WATCH -> "watch(" + owner + ", " + lease + " ms, " + waits + ")";
            case ROUSE -> "rouse";
        };
    }
}
