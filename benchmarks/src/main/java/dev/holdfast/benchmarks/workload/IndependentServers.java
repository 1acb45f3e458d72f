package dev.holdfast.benchmarks.workload;

import dev.holdfast.testkit.FaultProxy;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Servers that know nothing of each other, started for one measurement, and the links to them if these are slow. */
final class IndependentServers implements AutoCloseable {
    private final List<RedisServer> servers = new ArrayList<>();
    private final List<FaultProxy> links = new ArrayList<>();

    /** @param eachWay how long a message takes; zero for no link in between */
    static IndependentServers start(int number, Duration eachWay) {
        IndependentServers started = new IndependentServers();
        try {
            for (int i = 0; i < number; i++) {
                started.add(eachWay);
            }
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
        return started;
    }

    private void add(Duration eachWay) {
        RedisServer server = RedisServer.builder().start();
        servers.add(server);
        if (!eachWay.isZero()) {
            FaultProxy link = FaultProxy.inFrontOf(server);
            links.add(link);
            link.delay(eachWay);
        }
    }

    /** {@return the same site with these servers} */
    Site in(Site site) {
        return site.on(
                servers,
                links.isEmpty()
                        ? servers.stream().map(RedisServer::uri).toList()
                        : links.stream().map(FaultProxy::uri).toList());
    }

    @Override
    public void close() {
        links.forEach(FaultProxy::close);
        servers.forEach(RedisServer::close);
    }
}
