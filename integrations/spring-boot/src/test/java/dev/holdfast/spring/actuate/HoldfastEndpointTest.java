package dev.holdfast.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import dev.holdfast.testkit.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Operators see the client and its locks by HTTP, and can force a lock open only where that was granted. */
final class HoldfastEndpointTest {
    private static final String ORDER = "/eu/orders:42";

    private static RedisServer redis;

    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    /** A service with all that is on the class path, as its users start it. */
    private static ConfigurableApplicationContext service(String... properties) {
        return new SpringApplicationBuilder(Service.class)
                .properties(
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "spring.data.redis.host=" + redis.host(),
                        "spring.data.redis.port=" + redis.port(),
                        "spring.application.name=orders",
                        "management.endpoints.web.exposure.include=holdfast,health",
                        "management.endpoint.health.show-details=always")
                .properties(properties)
                .run();
    }

    private HttpResponse<String> send(ConfigurableApplicationContext service, String method, String path)
            throws IOException, InterruptedException {
        URI uri = URI.create(
                "http://127.0.0.1:" + service.getEnvironment().getProperty("local.server.port") + "/actuator" + path);
        return http.send(
                HttpRequest.newBuilder(uri)
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static Map<String, Object> json(HttpResponse<String> response) {
        assertThat(response.statusCode()).isEqualTo(200);
        return JsonParserFactory.getJsonParser().parseMap(response.body());
    }

    /** The client is shown with all its counters, and in the health of the service. */
    @Test
    void client_isShown() throws Exception {
        try (ConfigurableApplicationContext service = service()) {
            Holdfast client = service.getBean(Holdfast.class);
            client.getLock("a").acquire().close();
            Map<String, Object> shown = json(send(service, "GET", "/holdfast"));
            assertThat(String.valueOf(shown.get("clients")))
                    .contains("holdfast={id=" + client.clientId(), "label=orders", "connected=true")
                    .contains("acquired=1", "unknownOutcomes=0", "lost={", "expired=0")
                    .doesNotContain("unknown-outcomes", "EXPIRED");
            assertThat(String.valueOf(json(send(service, "GET", "/health")).get("components")))
                    .contains("holdfast={", "waiters=0");
        }
    }

    /** A lock whose name contains slashes and colons is shown, and is not forced open without access. */
    @Test
    void lock_isReadOnly() throws Exception {
        try (ConfigurableApplicationContext service = service()) {
            try (Lease lease =
                    service.getBean(Holdfast.class).getLock("eu/orders:42").acquire()) {
                Map<String, Object> shown = json(send(service, "GET", "/holdfast" + ORDER));
                assertThat(shown).containsEntry("name", "eu/orders:42").containsEntry("locked", true);
                assertThat(String.valueOf(shown.get("holders"))).contains("label=orders", "holdCount=1");
                assertThat(send(service, "DELETE", "/holdfast" + ORDER).statusCode())
                        .isEqualTo(405);
                assertThat(lease.isValid()).isTrue();
                assertThat(redis.keys()).contains("eu/orders:42");
            }
        }
    }

    /** With access, a lock is forced open once; the deletion of a free one changes nothing. */
    @Test
    void lock_isForcedOpen() throws Exception {
        try (ConfigurableApplicationContext service = service("management.endpoint.holdfast.access=unrestricted")) {
            DistributedLock lock = service.getBean(Holdfast.class).getLock("eu/orders:42");
            lock.lock();
            assertThat(json(send(service, "DELETE", "/holdfast" + ORDER))).containsEntry("unlocked", true);
            assertThat(lock.isLocked()).isFalse();
            assertThat(send(service, "DELETE", "/holdfast" + ORDER).statusCode())
                    .isEqualTo(204);
            assertThat(json(send(service, "GET", "/holdfast" + ORDER))).containsEntry("locked", false);
            assertThatThrownBy(lock::unlock).isInstanceOf(LeaseLostException.class);
        }
    }

    /** Of a read-write lock, those that read are shown, each with its own lease; it is forced open as what it is. */
    @Test
    void readWriteLock_isShown() throws Exception {
        try (ConfigurableApplicationContext service = service("management.endpoint.holdfast.access=unrestricted")) {
            DistributedReadWriteLock lock = service.getBean(Holdfast.class).getReadWriteLock("eu/orders:42");
            lock.readLock().lock();
            Map<String, Object> shown = json(send(service, "GET", "/holdfast" + ORDER));
            assertThat(shown).containsEntry("name", "eu/orders:42").containsEntry("locked", true);
            assertThat(String.valueOf(shown.get("holders")))
                    .contains("label=orders", "mode=SHARED", "remainingLease=PT");
            assertThat(json(send(service, "DELETE", "/holdfast" + ORDER))).containsEntry("unlocked", true);
            assertThat(lock.inspect().isLocked()).isFalse();
            assertThatThrownBy(lock.readLock()::unlock).isInstanceOf(LeaseLostException.class);
        }
    }

    /** It is absent where it is not exposed, or where actuator is. */
    @Test
    void endpoint_isOptional() {
        ApplicationContextRunner application = new ApplicationContextRunner()
                .withConfiguration(
                        AutoConfigurations.of(HoldfastAutoConfiguration.class, HoldfastEndpointAutoConfiguration.class))
                .withPropertyValues("holdfast.redis-uri=" + redis.uri());
        application.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HoldfastEndpoint.class));
        application
                .withPropertyValues("management.endpoints.web.exposure.include=holdfast")
                .run(context -> assertThat(context).hasSingleBean(HoldfastEndpoint.class));
        application
                .withClassLoader(new FilteredClassLoader(Endpoint.class))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Holdfast.class));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {}
}
