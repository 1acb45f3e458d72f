package dev.holdfast.cli.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Asks what a user may do, without doing it. Redis checks the rights to a command before anything else of it: the commands that
 * locks use are called in a script that is not allowed to write, so that those that write are refused for one reason or the other;
 * of the rest, each is sent so that it has no effect.
 */
final class RightsQuestions {
    /** Calls each command in turn: a count of words, and the words. The flag is known from Redis 7.0 on. */
    private static final String PROBE = """
            #!lua flags=no-writes
            local errors, at = {}, 1
            while at <= #ARGV do
              local size = tonumber(ARGV[at])
              local reply = redis.pcall(unpack(ARGV, at + 1, at + size))
              errors[#errors + 1] = type(reply) == 'table' and reply.err or ''
              at = at + size + 1
            end
            return errors
            """;

    private static final String NO_SCRIPT = "0".repeat(40);

    /** An id that no connection has. */
    private static final String NO_CLIENT = Long.toString(Long.MAX_VALUE);

    private final Link link;
    private final String prefix;
    private final String name;
    private final Map<String, RightVerdict> verdicts = new HashMap<>();

    private RightsQuestions(Link link, String prefix) {
        this.link = link;
        this.prefix = prefix;
        this.name = name(prefix);
    }

    /** {@return a name that nobody uses} */
    static String name(String prefix) {
        return prefix + ThreadLocalRandom.current().nextLong(1_000_000_000_000_000_00L, Long.MAX_VALUE);
    }

    /** @param isSharded whether messages are those of a cluster from Redis 7.0 on */
    static Map<String, RightVerdict> ask(Link link, String prefix, boolean isSharded) {
        RightsQuestions questions = new RightsQuestions(link, prefix);
        questions.askScript(isSharded ? "SPUBLISH" : "PUBLISH");
        questions.askRest();
        return questions.verdicts;
    }

    /**
     * A command of a script, with what it says about.
     *
     * @param right to the command, or to the name
     */
    private record Probe(String right, List<String> words) {}

    private void askScript(String publish) {
        List<Probe> probes = new ArrayList<>();
        List<List<String>> commands = commands(name);
        commands.forEach(words -> probes.add(new Probe("+" + words.get(0), words)));
        probes.add(new Probe("+time", List.of("time")));
        probes.add(new Probe("+" + publish.toLowerCase(Locale.ROOT), List.of(publish, name, "0")));
        for (Use use : Use.values()) {
            for (String pattern : use.keys(prefix)) {
                commands(named(pattern)).forEach(words -> probes.add(new Probe("~" + pattern, words)));
            }
            for (String pattern : use.channels(prefix)) {
                probes.add(new Probe("&" + pattern, List.of(publish, named(pattern), "0")));
            }
        }
        List<String> call = new ArrayList<>(List.of("EVAL", PROBE, "0"));
        probes.forEach(probe -> {
            call.add(Integer.toString(probe.words.size()));
            call.addAll(probe.words);
        });
        Answer<List<Object>> reply = link.ask(call.toArray(String[]::new));
        verdicts.put("+eval", RightVerdict.ofCommand(reply.reason()));
        List<Object> errors = reply.orElse(List.of());
        for (int i = 0; i < errors.size(); i++) {
            note(probes.get(i), String.valueOf(errors.get(i)));
        }
    }

    private static List<List<String>> commands(String key) {
        return List.of(
                List.of("hget", key, "f"),
                List.of("hmget", key, "f"),
                List.of("hset", key, "f", "0"),
                List.of("hdel", key, "f"),
                List.of("hgetall", key),
                List.of("pttl", key),
                List.of("pexpire", key, "1"),
                List.of("del", key),
                List.of("get", key),
                List.of("set", key, "0"),
                List.of("incr", key));
    }

    /** The name in place of what the pattern leaves open, with the end of the braces. */
    private String named(String pattern) {
        String tail = name.substring(prefix.length());
        return pattern.replaceFirst("\\*$", tail + (pattern.contains("{") && !pattern.contains("}") ? "}" : ""));
    }

    /** A name may be used by several commands: the right to it is missing if one of them is refused it. */
    private void note(Probe probe, String error) {
        if (probe.right.startsWith("+")) {
            verdicts.put(probe.right, RightVerdict.ofCommand(error));
        } else {
            RightVerdict verdict = RightVerdict.ofName(error);
            verdicts.merge(
                    probe.right,
                    verdict,
                    (before, now) -> before == RightVerdict.DENIED || now == RightVerdict.UNKNOWN ? before : now);
        }
    }

    private void askRest() {
        Set<List<String>> calls = new LinkedHashSet<>(List.of(
                List.of("+evalsha", "EVALSHA", NO_SCRIPT, "0"),
                List.of("+script|load", "SCRIPT", "LOAD", "("),
                List.of("+ping", "PING"),
                List.of("+pubsub|numsub", "PUBSUB", "NUMSUB", name),
                List.of("+pubsub|shardnumsub", "PUBSUB", "SHARDNUMSUB", name),
                List.of("+client|info", "CLIENT", "INFO"),
                List.of("+client|kill", "CLIENT", "KILL", "ID", NO_CLIENT),
                List.of("+hello", "HELLO"),
                List.of("+info", "INFO", "server"),
                List.of("+wait", "WAIT", "0", "1"),
                List.of("+role", "ROLE"),
                List.of("+cluster|slots", "CLUSTER", "SLOTS"),
                List.of("+cluster|nodes", "CLUSTER", "NODES"),
                List.of("+asking", "ASKING")));
        for (List<String> call : calls) {
            String[] words = call.subList(1, call.size()).toArray(String[]::new);
            verdicts.put(call.get(0), RightVerdict.ofCommand(link.ask(words).reason()));
        }
    }
}
