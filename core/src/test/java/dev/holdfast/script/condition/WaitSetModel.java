package dev.holdfast.script.condition;

import static dev.holdfast.script.condition.WaitSetCommand.channelOf;

import dev.holdfast.script.TimedScripts.Setting;
import dev.holdfast.script.condition.WaitSetCommand.Signal;
import dev.holdfast.script.condition.WaitSetCommand.Wait;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The wait sets of the conditions of a lock: queues, and the clients that have proved to be alive. What each command has to do. */
final class WaitSetModel {
    /** Those that wait for each condition, in order; none is empty. */
    private final Map<String, List<Wait>> queues = new TreeMap<>();

    /** Until when each client has proved to be alive. */
    private final Map<String, Long> clients = new TreeMap<>();

    /** When all of it expires; -2 if there is nothing. */
    private long expires = -2;

    /** What a command replies and publishes: the messages with their channels, sorted. */
    record Expected(List<Object> reply, List<String> messages) {}

    /**
     * {@return what is in Redis}
     *
     * @param fields of the hash
     * @param faults gets what is wrong with its links
     */
    static WaitSetModel of(long expires, Map<String, String> fields, List<String> faults) {
        WaitSetModel seen = new WaitSetModel();
        seen.expires = expires;
        int owners = 0;
        for (Map.Entry<String, String> field : fields.entrySet()) {
            String name = field.getKey().replaceFirst("^\\w+:", "");
            if (field.getKey().startsWith("client:")) {
                seen.clients.put(name, Long.parseLong(field.getValue()));
            } else if (field.getKey().startsWith("queue:")) {
                seen.queues.put(name, linked(name, field.getValue(), fields, faults));
            } else if (field.getKey().startsWith("owner:")) {
                owners++;
            } else {
                faults.add("unknown: " + field);
            }
        }
        if (owners != seen.waits().size()) {
            faults.add(owners + " owners wait, but in the queues are " + seen.queues);
        }
        return seen;
    }

    private static List<Wait> linked(String condition, String ends, Map<String, String> fields, List<String> faults) {
        List<Wait> queue = new ArrayList<>();
        String before = "-";
        String owner = ends.split(" ", -1)[0];
        while (!owner.equals("-") && queue.size() <= fields.size()) {
            String[] wait =
                    fields.getOrDefault("owner:" + owner, "0 none - none").split(" ", 4);
            queue.add(new Wait(owner, Long.parseLong(wait[0])));
            if (!wait[1].equals(before) || !wait[3].equals(condition)) {
                faults.add(owner + " is in the queue of " + condition + " behind " + before + ", but has "
                        + List.of(wait));
            }
            before = owner;
            owner = wait[2];
        }
        if (!ends.split(" ", -1)[1].equals(before)) {
            faults.add("the last one for " + condition + " is " + before + ", not that of " + ends);
        }
        return queue;
    }

    WaitSetModel copy() {
        WaitSetModel copy = new WaitSetModel();
        queues.forEach((condition, queue) -> copy.queues.put(condition, new ArrayList<>(queue)));
        copy.clients.putAll(clients);
        copy.expires = expires;
        return copy;
    }

    List<Wait> waits() {
        return queues.values().stream().flatMap(List::stream).toList();
    }

    boolean isEmpty() {
        return queues.isEmpty() && clients.isEmpty();
    }

    /** What has expired is gone. */
    void pass(long now) {
        if (expires >= 0 && expires < now) {
            queues.clear();
            clients.clear();
            expires = -2;
        }
    }

    /** Does what the command has to do. */
    Expected run(WaitSetCommand command, boolean holds, Setting setting, boolean counted) {
        Run run = new Run(setting, counted);
        List<Object> reply =
                switch (command.verb()) {
                    case PART -> holds ? run.part(command) : List.of(0L);
                    case LEAVE -> List.of(remove(command.owner(), command.ticket()) ? 1L : 0L);
                    case WATCH -> run.watch(command);
                    case ROUSE -> run.rouse();
                };
        if (isEmpty()) {
            expires = -2;
        }
        Collections.sort(run.messages);
        return new Expected(reply, run.messages);
    }

    private boolean remove(String owner, long ticket) {
        boolean removed = false;
        for (List<Wait> queue : queues.values()) {
            removed |= queue.removeIf(wait -> wait.owner().equals(owner) && (ticket == 0 || wait.ticket() == ticket));
        }
        queues.values().removeIf(List::isEmpty);
        if (isEmpty()) {
            // Redis deletes an empty hash, also in the middle of a script.
            expires = -2;
        }
        return removed;
    }

    /** One command. */
    private final class Run {
        private final long now;
        private final Setting setting;
        private final boolean counted;
        private final List<String> messages = new ArrayList<>();

        Run(Setting setting, boolean counted) {
            this.now = setting.nowMicros() / 1000;
            this.setting = setting;
            this.counted = counted;
        }

        private void tell(String client, String message) {
            messages.add(channelOf(client) + " " + message);
        }

        private boolean isDeaf(String client) {
            return counted && !setting.listening().contains(channelOf(client));
        }

        private void live(String client, long lease) {
            clients.put(client, now + lease);
            expires = Math.max(expires, now + 2 * lease);
        }

        List<Object> part(WaitSetCommand command) {
            long signalled = 0;
            for (Signal signal : command.signals()) {
                signalled += signal(signal);
            }
            if (command.ticket() != 0) {
                live(WaitSetCommand.clientOf(command.owner()), command.lease());
                remove(command.owner(), 0);
                queues.computeIfAbsent(command.condition(), condition -> new ArrayList<>())
                        .add(new Wait(command.owner(), command.ticket()));
            }
            return List.of(command.tenure(), signalled);
        }

        /** To the first that is alive and hears it, or to all of these. */
        private long signal(Signal signal) {
            long signalled = 0;
            for (Wait wait : List.copyOf(queues.getOrDefault(signal.condition(), List.of()))) {
                if (signalled > 0 && !signal.all()) {
                    break;
                }
                remove(wait.owner(), wait.ticket());
                if (clients.getOrDefault(wait.client(), 0L) > now) {
                    tell(wait.client(), "signal " + wait.owner() + " " + wait.ticket());
                    signalled += isDeaf(wait.client()) ? 0 : 1;
                }
            }
            return signalled;
        }

        List<Object> watch(WaitSetCommand command) {
            if (command.lease() == 0) {
                clients.remove(command.owner());
                return List.of(0L);
            }
            live(command.owner(), command.lease());
            List<Object> reply = new ArrayList<>();
            command.waits().forEach(wait -> reply.add(waits().contains(wait) ? 1L : 0L));
            long before = clients.size();
            clients.entrySet()
                    .removeIf(client -> !client.getKey().equals(command.owner())
                            && (client.getValue() <= now || isDeaf(client.getKey())));
            if (clients.size() < before) {
                rouse();
            }
            reply.add(0, before - clients.size());
            return reply;
        }

        List<Object> rouse() {
            queues.clear();
            clients.keySet().forEach(client -> tell(client, "rouse"));
            return List.of(1L);
        }
    }

    @Override
    public String toString() {
        return queues + ", alive until " + clients + (isEmpty() ? "" : ", expires " + expires);
    }
}
