package dev.holdfast.examples.service.demo;

import dev.holdfast.examples.service.shop.ShopApplication;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.springframework.context.ConfigurableApplicationContext;

/** One instance in this process, to be tried by hand. */
final class Alone {
    private static final String PORT = "8080";
    private static final int STOCK = 100;

    private final Consumer<String> out;

    Alone(Consumer<String> out) {
        this.out = out;
    }

    /** Starts the servers and the instance, and leaves them to run until this process is interrupted. */
    void run() {
        Surroundings surroundings = Surroundings.start();
        surroundings.ledger().stockUp(Plan.ITEM, STOCK);
        ConfigurableApplicationContext shop = ShopApplication.start(
                Stream.concat(surroundings.properties().stream(), Stream.of("server.port=" + PORT))
                        .map(property -> "--" + property)
                        .toArray(String[]::new));
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            shop.close();
                            surroundings.close();
                        },
                        "end-of-shop"));
        out.accept("""
                The shop is open. Try, and end it with Ctrl-C:

                  curl -X POST localhost:8080/items/sneakers/sales
                  curl localhost:8080/items/sneakers
                  curl localhost:8080/actuator/health
                  curl localhost:8080/actuator/holdfast
                  curl localhost:8080/actuator/holdfast/item:sneakers
                  curl localhost:8080/actuator/metrics/holdfast.acquired""");
    }
}
