package dev.holdfast.examples.service.demo;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.holdfast.testkit.RedisServer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.test.context.DynamicPropertyRegistry;

/**
 * The servers around the shop, for one test class at a time, which is skipped, with the reason, where PostgreSQL cannot be
 * started. Named before @SpringBootTest, it ends them after the application.
 */
public final class TestSurroundings implements BeforeAllCallback, AfterAllCallback {
    private static @Nullable Surroundings started;

    @Override
    public void beforeAll(ExtensionContext context) {
        try {
            started = Surroundings.start();
        } catch (IllegalStateException e) {
            abort(e.getMessage() + ": " + e.getCause());
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (started != null) {
            started.close();
        }
    }

    static Surroundings servers() {
        return Objects.requireNonNull(started);
    }

    /** Passes the addresses of the servers to an application. */
    public static void register(DynamicPropertyRegistry registry) {
        servers().properties().forEach(property -> {
            String[] pair = property.split("=", 2);
            registry.add(pair[0], () -> pair[1]);
        });
    }

    /** {@return the arguments of an instance} */
    public static String[] arguments(String... further) {
        return Stream.concat(servers().properties().stream(), Arrays.stream(further))
                .map(property -> "--" + property)
                .toArray(String[]::new);
    }

    public static RedisServer redis() {
        return servers().redis();
    }

    public static void stockUp(String item, int pieces) {
        servers().ledger().stockUp(item, pieces);
    }

    /** {@return how many sales the database has, how many of them were of a piece sold before, and what is left} */
    public static String accounts(String item) {
        Ledger ledger = servers().ledger();
        return ledger.sold(item) + " sold, " + ledger.soldAgain(item) + " again, " + ledger.left(item) + " left";
    }

    /** {@return which instances have sold this item} */
    public static Set<String> sellers(String item) {
        return servers().ledger().soldBy(item).keySet();
    }

    /** Runs an action in the middle of the next sale of an instance, when it has read the stock. */
    public static void duringNextSale(String instance, Runnable action) {
        servers().bank().interruptNext(instance, action);
    }
}
