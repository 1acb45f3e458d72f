package dev.holdfast.cli.check;

import io.lettuce.core.RedisURI;
import java.time.Clock;
import java.util.List;
import java.util.Set;

/** Asks a deployment, and concludes. */
public final class Checkup {
    private Checkup() {}

    /**
     * {@return the findings, in the order of their lines}
     *
     * @param uris of the servers of the address, or that of its sentinels
     * @param kinds of lock that the application uses
     * @param prefix of the names of its locks
     * @param clock of this machine
     * @throws io.lettuce.core.RedisConnectionException if no server of the address answers
     */
    public static List<Finding> of(List<RedisURI> uris, Set<Use> kinds, String prefix, Clock clock) {
        return DeploymentChecks.of(Survey.of(uris, new NodeQuestions.Request(prefix, clock)), kinds);
    }
}
