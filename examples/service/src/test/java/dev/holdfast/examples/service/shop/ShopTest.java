package dev.holdfast.examples.service.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.examples.service.demo.TestSurroundings;
import dev.holdfast.testkit.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatusCode;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.web.client.RestClient;

/** The shop on a real Redis and a real PostgreSQL, by its REST interface. */
@ExtendWith(TestSurroundings.class) // before SpringBootTest: it ends after the application
@DirtiesContext
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
final class ShopTest {
    private static final int CREATED = 201;
    private static final int CONFLICT = 409;
    private static final int GONE = 410;
    private static final int UNAVAILABLE = 503;

    private final RestClient shop;
    private final Till till;
    private final Stock stock;
    private final Bank bank;
    private final Holdfast holdfast;

    @Autowired
    ShopTest(Environment environment, Till till, Stock stock, Bank bank, Holdfast holdfast) {
        this.shop = client(environment);
        this.till = till;
        this.stock = stock;
        this.bank = bank;
        this.holdfast = holdfast;
    }

    @DynamicPropertySource
    static void addresses(DynamicPropertyRegistry registry) {
        TestSurroundings.register(registry);
    }

    private static RestClient client(Environment environment) {
        return RestClient.builder()
                .baseUrl("http://localhost:" + environment.getRequiredProperty("local.server.port"))
                .defaultStatusHandler(HttpStatusCode::isError, (request, response) -> {})
                .build();
    }

    private static int buy(RestClient shop, String item) {
        return shop.post()
                .uri("/items/{item}/sales", item)
                .retrieve()
                .toBodilessEntity()
                .getStatusCode()
                .value();
    }

    private String get(String path) {
        return String.valueOf(shop.get().uri(path).retrieve().body(String.class));
    }

    private static void delete(String lock) {
        assertThat(TestSurroundings.redis().command("DEL", lock)).isEqualTo(1L);
    }

    /** Customers of two instances buy all pieces, each piece once. */
    @Test
    void sell_byTwoInstances() throws Exception {
        TestSurroundings.stockUp("boots", 60);
        ExecutorService customers = Executors.newFixedThreadPool(6);
        try (ConfigurableApplicationContext second =
                ShopApplication.start(TestSurroundings.arguments("spring.application.name=second", "server.port=0"))) {
            List<RestClient> shops = List.of(shop, client(second.getEnvironment()));
            Set<Integer> refusals = ConcurrentHashMap.newKeySet();
            List<Callable<Integer>> purchases = new ArrayList<>();
            for (int customer = 0; customer < 6; customer++) {
                RestClient nearest = shops.get(customer % 2);
                purchases.add(() -> {
                    int bought = 0;
                    int status = buy(nearest, "boots");
                    for (; status == CREATED; status = buy(nearest, "boots")) {
                        bought++;
                    }
                    refusals.add(status);
                    return bought;
                });
            }
            int bought = 0;
            for (Future<Integer> purchase : customers.invokeAll(purchases)) {
                bought += purchase.get();
            }
            assertThat(bought).isEqualTo(60);
            assertThat(refusals).containsExactly(GONE);
            assertThat(TestSurroundings.accounts("boots")).isEqualTo("60 sold, 0 again, 0 left");
            assertThat(TestSurroundings.sellers("boots")).containsExactlyInAnyOrder("shop", "second");
        } finally {
            customers.shutdownNow();
        }
    }

    /** Without the lock, a customer who comes while another one pays buys the same piece. */
    @Test
    void sell_withoutLock() {
        TestSurroundings.stockUp("hats", 10);
        Till unlocked = new UnlockedTill(stock, bank);
        TestSurroundings.duringNextSale("shop", () -> unlocked.sell("hats"));
        unlocked.sell("hats");
        assertThat(TestSurroundings.accounts("hats")).isEqualTo("2 sold, 1 again, 9 left");
    }

    /** A sale whose lock is lost before its commit is rolled back. */
    @Test
    void sell_lockLost() {
        TestSurroundings.stockUp("coats", 10);
        long lost = holdfast.stats().lost();
        TestSurroundings.duringNextSale("shop", () -> {
            delete("item:coats");
            Eventually.await().until(() -> holdfast.stats().lost() > lost);
        });
        assertThatThrownBy(() -> till.sell("coats")).isInstanceOf(LeaseLostException.class);
        assertThat(TestSurroundings.accounts("coats")).isEqualTo("0 sold, 0 again, 10 left");

        TestSurroundings.duringNextSale("shop", () -> {
            delete("item:coats");
            Eventually.await().until(() -> holdfast.stats().lost() > lost + 1);
        });
        assertThat(buy(shop, "coats")).isEqualTo(UNAVAILABLE);
        assertThat(buy(shop, "coats")).isEqualTo(CREATED);
        assertThat(TestSurroundings.accounts("coats")).isEqualTo("1 sold, 0 again, 9 left");
    }

    /** A sale that was overtaken is refused by the database, and changes nothing. */
    @Test
    void sell_overtaken() {
        TestSurroundings.stockUp("gloves", 10);
        AtomicReference<Integer> other = new AtomicReference<>();
        TestSurroundings.duringNextSale("shop", () -> {
            delete("item:gloves");
            other.set(buy(shop, "gloves"));
        });
        assertThat(buy(shop, "gloves")).isEqualTo(CONFLICT);
        assertThat(other).hasValue(CREATED);
        assertThat(TestSurroundings.accounts("gloves")).isEqualTo("1 sold, 0 again, 9 left");
    }

    /** A request for an unknown item is answered as such, and leaves no lock. */
    @Test
    void sell_unknown() {
        assertThat(buy(shop, "nothing")).isEqualTo(404);
        assertThat(get("/actuator/holdfast/item:nothing")).contains("\"locked\":false");
    }

    /** The actuator shows the lock of a sale that is under way, the health of the client, and its meters. */
    @Test
    void actuator_shows() {
        TestSurroundings.stockUp("scarfs", 10);
        AtomicReference<String> during = new AtomicReference<>();
        TestSurroundings.duringNextSale("shop", () -> during.set(get("/actuator/holdfast/item:scarfs")));
        assertThat(buy(shop, "scarfs")).isEqualTo(CREATED);
        assertThat(during.get()).contains("\"locked\":true", "\"label\":\"shop\"");

        assertThat(get("/actuator/holdfast/item:scarfs")).contains("\"locked\":false");
        assertThat(get("/actuator/holdfast")).contains("\"connected\":true", "\"acquired\":");
        assertThat(get("/actuator/health/holdfast")).contains("\"status\":\"UP\"", holdfast.clientId());
        assertThat(get("/actuator/metrics/holdfast.acquired"))
                .contains("\"value\":" + (double) holdfast.stats().acquired());
        assertThat(get("/items/scarfs")).isEqualTo("{\"id\":\"scarfs\",\"left\":9}");
    }
}
