package dev.holdfast.examples.service.shop;

import dev.holdfast.guard.jdbc.JdbcGuard;
import java.util.Map;
import java.util.Objects;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The pieces that are left, and those that were sold, in the database. */
@Repository
class Stock {
    private final JdbcTemplate database;
    private final JdbcClient queries;
    private final JdbcGuard guard;
    private final String instance;

    Stock(JdbcTemplate database, JdbcGuard guard, @Value("${spring.application.name}") String instance) {
        this.database = database;
        this.queries = JdbcClient.create(database);
        this.guard = guard;
        this.instance = instance;
    }

    /**
     * {@return how many pieces are left}
     *
     * @throws NoSuchItemException if there is no such item
     */
    int left(String item) {
        return queries.sql("select stock from item where id = ?")
                .param(item)
                .query(Integer.class)
                .optional()
                .orElseThrow(() -> new NoSuchItemException(item));
    }

    /**
     * {@return the number of the piece to be sold next}
     *
     * @throws NoSuchItemException if there is no such item
     * @throws SoldOutException if no piece is left
     */
    int nextPiece(String item) {
        int left = left(item);
        if (left == 0) {
            throw new SoldOutException(item);
        }
        return left;
    }

    /**
     * Sells a piece with the fencing token of the lock under which {@link #nextPiece} was called.
     *
     * @throws StaleSaleException if a later owner of the lock has sold since; nothing was written
     */
    Sale sell(String item, int piece, long token) {
        ConnectionCallback<JdbcGuard.Outcome> write =
                connection -> guard.update(connection, item, token, Map.of("stock", piece - 1));
        return switch (Objects.requireNonNull(database.execute(write))) {
            case WRITTEN -> record(item, piece);
            case STALE -> throw new StaleSaleException(item, token);
            case ABSENT -> throw new NoSuchItemException(item);
        };
    }

    /** Sells a piece, whatever others have sold since {@link #nextPiece} was called. */
    Sale sell(String item, int piece) {
        database.update("update item set stock = ? where id = ?", piece - 1, item);
        return record(item, piece);
    }

    private Sale record(String item, int piece) {
        database.update("insert into sale (item, piece, instance) values (?, ?, ?)", item, piece, instance);
        return new Sale(item, piece, instance);
    }
}
