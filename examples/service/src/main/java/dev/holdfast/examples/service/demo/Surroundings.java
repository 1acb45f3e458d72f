package dev.holdfast.examples.service.demo;

import dev.holdfast.testkit.RedisServer;
import java.util.List;

/** What the shop needs: a database with its tables, a Redis for its locks, and a bank. */
final class Surroundings implements AutoCloseable {
    private final PostgreSql database;
    private final RedisServer redis;
    private final BankServer bank;

    private Surroundings(PostgreSql database, RedisServer redis, BankServer bank) {
        this.database = database;
        this.redis = redis;
        this.bank = bank;
    }

    /** @throws IllegalStateException if one of the servers cannot be started */
    static Surroundings start() {
        PostgreSql database = PostgreSql.start();
        try {
            return new Surroundings(database, RedisServer.builder().start(), BankServer.start());
        } catch (RuntimeException e) {
            database.close();
            throw e;
        }
    }

    /** {@return the addresses, as properties of an instance} */
    List<String> properties() {
        return List.of(
                "spring.datasource.url=" + database.jdbcUrl(),
                "holdfast.redis-uri=" + redis.uri(),
                "shop.bank=" + bank.url());
    }

    RedisServer redis() {
        return redis;
    }

    BankServer bank() {
        return bank;
    }

    Ledger ledger() {
        return new Ledger(database.dataSource());
    }

    @Override
    public void close() {
        bank.close();
        redis.close();
        database.close();
    }
}
