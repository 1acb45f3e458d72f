package dev.holdfast.cli;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where Redis is. The address may contain a password, so it is never read from the command line, which every user of a
 * machine can see, and no message repeats it.
 */
final class RedisAddress {
    private RedisAddress() {}

    /**
     * {@return the address} Of the option, the variable with the address and that with the file, the first that is given
     * counts. There is no default: a job that lacks its environment must not use another Redis than its peers.
     *
     * @throws UsageException if none is given, or the file cannot be read or is empty
     */
    static String find(CommandLine line, Map<String, String> environment) {
        if (line.has(Option.URI_FILE)) {
            return firstLine(line.text(Option.URI_FILE).orElseThrow());
        }
        String address = environment.getOrDefault(Variable.REDIS_URI.word(), "");
        if (!address.isBlank()) {
            return address.strip();
        }
        String file = environment.getOrDefault(Variable.REDIS_URI_FILE.word(), "");
        if (!file.isBlank()) {
            return firstLine(file);
        }
        throw new UsageException("the address of Redis is missing: set " + Variable.REDIS_URI.word()
                + ", as in redis://localhost:6379, or name a file that contains it by " + Variable.REDIS_URI_FILE.word()
                + " or " + Option.URI_FILE.longName());
    }

    /**
     * {@return the address in the only operand, or else where the others are found}
     *
     * @throws UsageException if that operand has a password, or what {@link #find} says
     */
    static String operandOr(CommandLine line, Map<String, String> environment) {
        if (line.operands().isEmpty()) {
            return find(line, environment);
        }
        String address = line.operands().get(0);
        if (address.contains("@")) {
            throw new UsageException(
                    "an address with a user or a password is no operand, which every user of the machine can see: set "
                            + Variable.REDIS_URI.word() + ", or name a file by " + Option.URI_FILE.longName());
        }
        return address;
    }

    /**
     * {@return one URI for each address, or that of the sentinels} The driver's messages repeat passwords.
     *
     * @param address one that {@link Clients} has found to be well-formed
     */
    static List<RedisURI> uris(String address) {
        try {
            return address.startsWith("redis-") || address.startsWith("rediss-") || !address.contains(",")
                    ? List.of(RedisURI.create(address))
                    : RedisClusterURIUtil.toRedisURIs(URI.create(address));
        } catch (RuntimeException e) {
            throw new UsageException("the address of Redis cannot be used to look for servers");
        }
    }

    /** {@return where Redis is, without the credentials that the address may have} */
    static String hosts(String address) {
        return uris(address).stream()
                .flatMap(uri -> uri.getSentinels().isEmpty() ? Stream.of(uri) : uri.getSentinels().stream())
                .map(uri -> uri.getSocket() == null ? uri.getHost() + ":" + uri.getPort() : uri.getSocket())
                .collect(Collectors.joining(","));
    }

    private static String firstLine(String file) {
        try {
            return Files.readString(Path.of(file), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty())
                    .findFirst()
                    .orElseThrow(() -> new UsageException("the file with the address of Redis is empty: " + file));
        } catch (IOException e) {
            throw new UsageException("the file with the address of Redis cannot be read: " + e);
        }
    }
}
