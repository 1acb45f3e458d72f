package dev.holdfast.spring.locked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.spring.autoconfigure.HoldfastAutoConfiguration;
import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionManagerCustomizationAutoConfiguration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;

/** A call whose work was protected to its end has its result, though Redis does not confirm the release of its lock. */
final class LockedUnconfirmedTest {
    private final RedisServer redis = RedisServer.start();

    @AfterEach
    void close() {
        redis.close();
    }

    private void with(BiConsumer<Service, Holdfast> test) {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        HoldfastAutoConfiguration.class,
                        LockedAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        TransactionAutoConfiguration.class,
                        TransactionManagerCustomizationAutoConfiguration.class))
                .withPropertyValues(
                        "holdfast.redis-uri=" + redis.uri(),
                        "holdfast.command-timeout=300ms",
                        "holdfast.failover-timeout=300ms",
                        "holdfast.watchdog-timeout=10m",
                        "holdfast.shutdown-grace=0s")
                .withBean(
                        DataSource.class,
                        () -> new DriverManagerDataSource("jdbc:h2:mem:unconfirmed;DB_CLOSE_DELAY=-1"))
                .withBean(Service.class)
                .run(context -> test.accept(context.getBean(Service.class), context.getBean(Holdfast.class)));
    }

    /** What the transaction has committed is not reported as failed. */
    @Test
    void value_isReturned() {
        with((service, client) -> {
            assertThat(service.ship(redis)).isEqualTo("shipped");
            assertThat(service.shipments()).isEqualTo(1);
            assertThat(client.stats().releasesUnconfirmed()).isEqualTo(1);
        });
    }

    /** So it is with a lock that is kept, and with several. */
    @Test
    void valueByLease_isReturned() {
        with((service, client) -> assertThat(service.kept(redis)).isEqualTo("x"));
        redis.restart();
        with((service, client) -> assertThat(service.several(redis)).isEqualTo("x"));
    }

    /** And with results that complete later. */
    @Test
    void laterResult_isReturned() {
        with((service, client) -> assertThat(service.future(redis))
                .succeedsWithin(Duration.ofSeconds(30))
                .isEqualTo("x"));
        redis.restart();
        with((service, client) ->
                assertThat(service.mono(redis).block(Duration.ofSeconds(30))).isEqualTo("x"));
    }

    /** A lock that was lost is a failure as ever. */
    @Test
    void loss_isThrown() {
        with((service, client) ->
                assertThatThrownBy(() -> service.lose(client)).isInstanceOf(LeaseLostException.class));
    }

    static class Service {
        private final JdbcClient database;

        Service(DataSource source) {
            database = JdbcClient.create(source);
            database.sql("create table if not exists shipment (id int)").update();
        }

        @Locked(name = "release")
        @Transactional
        public String ship(RedisServer redis) {
            database.sql("insert into shipment values (1)").update();
            redis.kill();
            return "shipped";
        }

        public Object shipments() {
            return database.sql("select count(*) from shipment")
                    .query(Integer.class)
                    .single();
        }

        @Locked(name = "release", keepFor = "1m")
        public String kept(RedisServer redis) {
            redis.kill();
            return "x";
        }

        @Locked(name = "release", key = "{1, 2}")
        public String several(RedisServer redis) {
            redis.kill();
            return "x";
        }

        @Locked(name = "release")
        public CompletableFuture<String> future(RedisServer redis) {
            redis.kill();
            return CompletableFuture.completedFuture("x");
        }

        @Locked(name = "release")
        public Mono<String> mono(RedisServer redis) {
            return Mono.fromCallable(() -> {
                redis.kill();
                return "x";
            });
        }

        @Locked(name = "release")
        public void lose(Holdfast client) {
            assertThat(client.getLock("release").forceUnlock()).isTrue();
        }
    }
}
