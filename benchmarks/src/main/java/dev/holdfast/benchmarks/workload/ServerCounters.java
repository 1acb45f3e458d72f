package dev.holdfast.benchmarks.workload;

import dev.holdfast.testkit.RedisServer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The counters of a server since its start, or the sums of those of several.
 *
 * @param scripts the number of EVALSHA and EVAL executed
 * @param bytes the bytes received and sent
 * @param cpuMicros the CPU time, user and system
 * @param waits the number of WAIT executed
 * @param commands the number of all commands executed, without this query
 * @param scriptMicros the time within EVALSHA and EVAL
 */
record ServerCounters(
        double scripts, double bytes, double cpuMicros, double waits, double commands, double scriptMicros) {
    /** Queries all servers. */
    static ServerCounters of(List<RedisServer> servers) {
        return servers.stream()
                .map(ServerCounters::of)
                .reduce(new ServerCounters(0, 0, 0, 0, 0, 0), ServerCounters::plus);
    }

    /**
     * Queries the server. The reply to the query is counted by the server only after it was formed, so its bytes are
     * added here.
     */
    static ServerCounters of(RedisServer server) {
        String info = Objects.toString(server.command("INFO", "everything"), "");
        return parse(info).plusBytes(info.length());
    }

    static ServerCounters parse(String info) {
        Map<String, String> fields = info.lines()
                .map(line -> line.split(":", 2))
                .filter(parts -> parts.length == 2)
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1].trim(), (one, other) -> other));
        return new ServerCounters(
                calls(fields, "evalsha") + calls(fields, "eval"),
                number(fields, "total_net_input_bytes") + number(fields, "total_net_output_bytes"),
                1e6 * (number(fields, "used_cpu_user") + number(fields, "used_cpu_sys")),
                calls(fields, "wait"),
                number(fields, "total_commands_processed") - calls(fields, "info"),
                stat(fields, "evalsha", "usec=") + stat(fields, "eval", "usec="));
    }

    private static double calls(Map<String, String> fields, String command) {
        return stat(fields, command, "calls=");
    }

    private static double stat(Map<String, String> fields, String command, String name) {
        String stats = fields.getOrDefault("cmdstat_" + command, "calls=0,usec=0,");
        int from = stats.indexOf(name) + name.length();
        return Double.parseDouble(stats.substring(from, stats.indexOf(',', from)));
    }

    private static double number(Map<String, String> fields, String name) {
        return Double.parseDouble(fields.getOrDefault(name, "0"));
    }

    ServerCounters minus(ServerCounters earlier) {
        return new ServerCounters(
                scripts - earlier.scripts,
                bytes - earlier.bytes,
                cpuMicros - earlier.cpuMicros,
                waits - earlier.waits,
                commands - earlier.commands,
                scriptMicros - earlier.scriptMicros);
    }

    private ServerCounters plus(ServerCounters other) {
        return new ServerCounters(
                scripts + other.scripts,
                bytes + other.bytes,
                cpuMicros + other.cpuMicros,
                waits + other.waits,
                commands + other.commands,
                scriptMicros + other.scriptMicros);
    }

    private ServerCounters plusBytes(int more) {
        return new ServerCounters(scripts, bytes + more, cpuMicros, waits, commands, scriptMicros);
    }
}
