package dev.holdfast.spring.actuate;

import dev.holdfast.ConnectionProblem;
import dev.holdfast.Holdfast;
import dev.holdfast.HoldfastStats;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * A client is up while it is connected, as far as it knows. Nothing is sent, so that the health of an application does
 * not hang with its Redis; the client itself pings Redis while it has something to lose.
 */
public final class HoldfastHealthIndicator extends AbstractHealthIndicator {
    private final Holdfast client;

    /**
     * An indicator.
     *
     * @param client the client to watch
     */
    public HoldfastHealthIndicator(Holdfast client) {
        super("The health of the client of distributed locks cannot be determined");
        this.client = client;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        HoldfastStats stats = client.stats();
        (client.isConnected() ? builder.up() : builder.down())
                .withDetail("client", client.clientId())
                .withDetail("holds", stats.holds())
                .withDetail("waiters", stats.waiters())
                .withDetail("lost", stats.lost());
        List<Map<String, Object>> problems = client.connectionProblems().stream()
                .map(HoldfastHealthIndicator::detail)
                .toList();
        if (!problems.isEmpty()) {
            builder.withDetail("problems", problems);
        }
    }

    /** {@return which server the client cannot use, why, and since when} */
    private static Map<String, Object> detail(ConnectionProblem problem) {
        return Map.of("server", problem.server(), "reason", problem.reason(), "since", problem.since());
    }
}
