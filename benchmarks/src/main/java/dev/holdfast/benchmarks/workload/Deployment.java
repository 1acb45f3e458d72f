package dev.holdfast.benchmarks.workload;

import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.testkit.RedisServer;
import java.util.List;
import java.util.Optional;

/** Servers of which one takes the place of another that has failed, started for one measurement. */
interface Deployment extends AutoCloseable {
    /** {@return the address of the whole} */
    String uri();

    /** {@return the servers that hold data} */
    List<RedisServer> servers();

    /** Has a replica take the place of the server that has this lock, or kills that server. Returns at once. */
    void failOver(String lock, Failover.Cause cause);

    /** Ends all servers. */
    @Override
    void close();

    /** {@return the same site with these servers} */
    default Site in(Site site) {
        return site.on(servers(), List.of(uri()));
    }

    /** {@return the reason why this system cannot use several servers; empty if it can} */
    static Optional<String> obstacle(LockSystem system) {
        return system.isRenewing() ? Optional.empty() : Optional.of("it is compared on one server only");
    }
}
