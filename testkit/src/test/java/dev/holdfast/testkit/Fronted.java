package dev.holdfast.testkit;

import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A server for one test, and a proxy in front of it. Once the proxy is closed, the server has no clients left. */
final class Fronted implements AfterEachCallback {
    private final RedisServer server = RedisServer.builder().start();
    private final FaultProxy proxy = FaultProxy.inFrontOf(server);

    RedisServer server() {
        return server;
    }

    FaultProxy proxy() {
        return proxy;
    }

    @Override
    public void afterEach(ExtensionContext context) {
        try {
            proxy.close();
            await().atMost(ProcessChecks.TIMEOUT).until(() -> server.clients().isEmpty());
        } finally {
            server.close();
        }
    }
}
