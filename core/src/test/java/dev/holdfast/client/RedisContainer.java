package dev.holdfast.client;

import dev.holdfast.Holdfast;
import dev.holdfast.LockKinds;
import dev.holdfast.testkit.LockFixture;
import dev.holdfast.testkit.RedisServer;
import java.util.List;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/** A server in a container of its own, and two clients of it. */
final class RedisContainer implements AutoCloseable {
    private static final int PORT = 6379;

    private final GenericContainer<?> container;
    private final RedisServer server;
    private final List<Holdfast> clients;

    private RedisContainer(GenericContainer<?> container) {
        this.container = container;
        this.server = RedisServer.at("redis://" + container.getHost() + ":" + container.getMappedPort(PORT));
        this.clients = List.of(Holdfast.connect(server.uri()), Holdfast.connect(server.uri()));
    }

    /** Starts a container of this image and waits for the log line of Redis and Valkey that it is ready. */
    @SuppressWarnings("resource") // close() stops it
    static RedisContainer start(String image) {
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(image))
                .withExposedPorts(PORT)
                .waitingFor(Wait.forLogMessage(".*Ready to accept connections.*", 1));
        container.start();
        return new RedisContainer(container);
    }

    /**
     * {@return a fixture with the same two clients each time, so that a test that leaves something behind is detected}
     */
    LockFixture newFixture(LockKinds kind) {
        return new ContractFixture(kind, false, clients, () -> LockKinds.withoutTokens(server.keys()));
    }

    @Override
    public void close() {
        clients.forEach(Holdfast::close);
        container.stop();
    }
}
