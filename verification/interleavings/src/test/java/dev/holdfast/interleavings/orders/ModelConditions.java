package dev.holdfast.interleavings.orders;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.internal.kind.Kind;
import dev.holdfast.internal.redis.Call;
import dev.holdfast.internal.redis.Script;
import dev.holdfast.internal.redis.SentWords;
import dev.holdfast.pubsub.AnsweringWire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A model of the one wait set of a lock in Redis, by the rules in the headers of its scripts: it reads the words of their commands.
 * Besides the modelled client there is another one, which is alive all the time and has one waiter.
 */
final class ModelConditions {
    private static final String OTHERS = "others";
    private static final String OTHER_WAITER = OTHERS + ":1";

    private final ModelRedis lock;
    private final AnsweringWire wire;

    /** The name of each script, by its SHA and by its source. */
    private final Map<String, String> scripts = new HashMap<>();

    // Guarded by this.
    /** The tickets of those that wait, by their owners, in their order. */
    private final Map<String, Long> waitSet = new LinkedHashMap<>();

    private final Set<String> clients = new HashSet<>();
    private String channel = "";
    private boolean otherIsWoken;
    private int signals;

    ModelConditions(ModelRedis lock, AnsweringWire wire) {
        this.lock = lock;
        this.wire = wire;
        for (String name : List.of("part", "leave", "watch", "rouse")) {
            Script script = Script.load(Kind.class, "condition-" + name + ".lua");
            scripts.put(script.toString().split("[ ()]+", -1)[1], name);
            scripts.put(new String(script.source(), UTF_8), name);
        }
    }

    synchronized boolean isWaiting(String owner) {
        return waitSet.containsKey(owner);
    }

    /** {@return how many waiters of the modelled client are in the wait set} */
    synchronized int waiting() {
        return waitSet.size() - (isWaiting(OTHER_WAITER) ? 1 : 0);
    }

    /** {@return how many signals have been sent to a waiter} */
    synchronized int signals() {
        return signals;
    }

    // --- The other client.

    /** A waiter of the other client joins the wait set. */
    synchronized void waitForOther() {
        clients.add(OTHERS);
        waitSet.put(OTHER_WAITER, 1L);
    }

    synchronized boolean isOtherWoken() {
        return otherIsWoken;
    }

    /** The other client signals a waiter. */
    synchronized void signalByOther() {
        signal();
    }

    /** The other client has all wake. */
    synchronized void rouseByOther() {
        rouse();
    }

    private void rouse() {
        waitSet.clear();
        clients.forEach(client -> tell(client, "rouse"));
    }

    // --- The commands.

    /** {@return the reply to a command; null if it is not about the conditions} */
    synchronized @Nullable List<Object> run(Call command) {
        List<String> words = SentWords.of(command);
        String script = words.size() > 1 ? scripts.get(words.get(1)) : null;
        if (script == null) {
            return null;
        }
        List<String> arguments = words.subList(3 + Integer.parseInt(words.get(2)), words.size());
        return switch (script) {
            case "part" -> part(arguments);
            case "leave" -> List.of(waitSet.remove(arguments.get(0), Long.parseLong(arguments.get(1))) ? 1L : 0L);
            case "watch" -> watch(arguments);
            case "rouse" -> {
                rouse();
                yield List.of(1L);
            }
            default -> throw new AssertionError("not modelled: " + script);
        };
    }

    private List<Object> part(List<String> arguments) {
        String owner = arguments.get(0);
        long tenure = Long.parseLong(arguments.get(1));
        if (!lock.isHeldBy(owner, tenure)) {
            return List.of(0L);
        }
        channel = arguments.get(2);
        long before = signals;
        for (int i = 9; i < arguments.size(); i += 2) {
            boolean isSent = signal();
            while (isSent && arguments.get(i).equals("1")) {
                isSent = signal();
            }
        }
        long ticket = Long.parseLong(arguments.get(6));
        if (ticket > 0) {
            clients.add(clientOf(owner));
            waitSet.remove(owner);
            waitSet.put(owner, ticket);
        }
        return List.of(tenure, signals - before);
    }

    /** {@return whether there was a waiter to signal} */
    private boolean signal() {
        Iterator<Map.Entry<String, Long>> waiters = waitSet.entrySet().iterator();
        while (waiters.hasNext()) {
            Map.Entry<String, Long> first = waiters.next();
            waiters.remove();
            if (tell(clientOf(first.getKey()), "signal " + first.getKey() + " " + first.getValue())) {
                signals++;
                return true;
            }
        }
        return false;
    }

    private List<Object> watch(List<String> arguments) {
        String client = arguments.get(0);
        if (arguments.get(1).equals("0")) {
            clients.remove(client);
            return List.of(0L);
        }
        clients.add(client);
        List<Object> answer = new ArrayList<>(List.of(0L));
        for (int i = 5; i < arguments.size(); i += 2) {
            Long ticket = waitSet.get(arguments.get(i));
            answer.add(ticket != null && ticket == Long.parseLong(arguments.get(i + 1)) ? 1L : 0L);
        }
        return answer;
    }

    /** {@return whether the client receives it} */
    private boolean tell(String client, String message) {
        if (client.equals(OTHERS)) {
            otherIsWoken = true;
            return true;
        }
        String own = channel + ":" + client + ":signals";
        wire.publish(own, message);
        return clients.contains(client) && wire.hasSubscribed(own);
    }

    private static String clientOf(String owner) {
        return owner.substring(0, owner.lastIndexOf(':'));
    }
}
