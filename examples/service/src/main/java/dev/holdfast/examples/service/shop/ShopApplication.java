package dev.holdfast.examples.service.shop;

import dev.holdfast.guard.jdbc.JdbcGuard;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** An instance of the shop. */
@SpringBootApplication(proxyBeanMethods = false)
public class ShopApplication {

    /**
     * Starts an instance.
     *
     * @param properties as {@code --name=value}: the addresses of the database, of Redis and of the bank, and the name
     */
    public static ConfigurableApplicationContext start(String... properties) {
        return SpringApplication.run(ShopApplication.class, properties);
    }

    @Bean
    JdbcGuard itemGuard() {
        return JdbcGuard.of("item", "id", "token");
    }
}
