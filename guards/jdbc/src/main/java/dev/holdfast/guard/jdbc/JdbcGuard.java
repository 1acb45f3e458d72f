package dev.holdfast.guard.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLTransientException;
import java.sql.Savepoint;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of one table on behalf of the owner of a fenced lock, and refuses an owner that was paused for too long:
 * one whose fencing token is smaller than that of the last write. Each row has a column for the last token; the token
 * is compared and written by the same statement that writes the row, and therefore atomically:
 *
 * <pre>{@code
 * update orders set state = ?, token = ? where id = ? and (token is null or token <= ?)
 * }</pre>
 *
 * <p>If that statement finds no row to write, another one queries the reason. The row may have changed between the two; if it
 * is now one that this token may write, the first statement runs again.
 *
 * <p>It runs on a connection of the application, in the application's transaction if there is one, and is independent
 * of the lock: any source of tokens that grow with each owner will do. The column is a {@code bigint}; it may be null
 * in rows that were written before it was added.
 *
 * <p><b>Several rows, or further statements.</b> In a transaction the row that was written stays locked until the end
 * of the transaction. So one row may guard others: {@link #update} it first, without other values, and execute the
 * further statements if that returned {@link Outcome#WRITTEN}. A later owner waits for the end of the transaction; an
 * earlier one is refused.
 *
 * <p><b>What it does not guarantee.</b> A write to the table without the guard is not protected.
 * {@link Outcome#WRITTEN} does not prove that the writer still holds its lock, only that no later owner has written.
 * Whether one of two concurrent writers waits or fails depends on the isolation level: an error of the database means
 * that nothing was written.
 *
 * <p><b>Databases.</b> It is tested on H2, PostgreSQL and MariaDB, at READ COMMITTED, REPEATABLE READ and SERIALIZABLE,
 * and uses plain SQL: {@code select .. for update} is used where the driver reports support for it. Without it, and
 * where a transaction continues to read the data as of its beginning, there may be an error in place of
 * {@link Outcome#STALE}. At READ COMMITTED, and on MariaDB at its default REPEATABLE READ, two concurrent first writers
 * both end without an error. Quoted names follow the SQL standard: for MySQL and MariaDB {@code "id"} is a string and
 * not a column unless {@code ANSI_QUOTES} is on, so do not quote names there. {@link #put} sets a savepoint in the
 * application's transaction, which connections of a distributed transaction (XA) refuse: {@link #update} needs none.
 *
 * <pre>{@code
 * JdbcGuard guard = JdbcGuard.of("orders", "id", "token");
 * switch (guard.update(connection, 42, lock.getToken(), Map.of("state", "shipped"))) {
 *     case WRITTEN -> connection.commit();
 *     case STALE, ABSENT -> connection.rollback();
 * }
 * }</pre>
 */
public final class JdbcGuard {

    /** The outcome of a write. */
    public enum Outcome {
        /** It was written; once it is committed, a smaller token cannot write this row. */
        WRITTEN,
        /** A later owner has written this row: nothing was changed. */
        STALE,
        /** There is no such row: nothing was changed. */
        ABSENT
    }

    /** How many times an update may find no row to write although the next query finds one, before that is an error. */
    private static final int TRIES = 3;

    private static final String INTEGRITY_VIOLATED = "23";

    private final GuardedTable rows;

    private JdbcGuard(GuardedTable rows) {
        this.rows = rows;
    }

    /**
     * {@return a guard of this table}
     *
     * @param key the column that identifies a row: its primary key, or one with a unique constraint
     * @param tokenColumn the column of the last token
     * @throws IllegalArgumentException if one of the names is not valid in SQL. They become part of statements
     */
    public static JdbcGuard of(String table, String key, String tokenColumn) {
        return new JdbcGuard(new GuardedTable(table, key, tokenColumn));
    }

    /**
     * Updates a row.
     *
     * @param id the key of the row
     * @param token the token of the writer's hold, which may have been lost
     * @param values by column, without those of the key and the token; empty to write the token alone
     * @throws SQLTransientException if the row was inserted, deleted or changed concurrently so often that the outcome
     *     could not be determined; nothing was written
     * @throws SQLException if the database refuses the statement; nothing was written
     * @throws IllegalArgumentException if the token is not positive, or a column is not a valid name in SQL, or is that
     *     of the key or the token, regardless of case and quotes
     */
    @CheckReturnValue
    public Outcome update(Connection connection, Object id, long token, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        requireToken(token);
        long last = GuardedTable.NO_TOKEN;
        for (int i = 0; i < TRIES; i++) {
            if (rows.overwrite(connection, id, token, values)) {
                return Outcome.WRITTEN;
            }
            OptionalLong found = rows.lastToken(connection, id);
            if (found.isEmpty()) {
                return Outcome.ABSENT;
            }
            last = found.getAsLong();
            if (last > token) {
                return Outcome.STALE;
            }
        }
        if (last == token) {
            return Outcome.WRITTEN; // The row has these values already: some drivers count only changed rows.
        }
        throw new SQLTransientException("the row of " + id + " came and went " + TRIES + " times; nothing was written");
    }

    /**
     * {@link #update}, or inserts the row if it does not exist. Of two writers that insert it concurrently, one
     * succeeds, and the other updates the row if its token allows. In a transaction it first queries, without a lock,
     * whether the row exists.
     *
     * @return {@link Outcome#WRITTEN} or {@link Outcome#STALE}
     * @throws SQLException as {@link #update} does. Also for one of two writers that insert the row concurrently, in
     *     transactions that continue to read the data as of their beginning: a serialization failure, a deadlock, or
     *     the violation of the key. That writer has written nothing; when its transaction is repeated, it succeeds or
     *     is stale
     */
    @CheckReturnValue
    public Outcome put(Connection connection, Object id, long token, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        boolean inTransaction = !connection.getAutoCommit();
        // An update that finds no row may lock the gap until the transaction ends (InnoDB): two writers would deadlock.
        if (!inTransaction || rows.exists(connection, id)) {
            Outcome found = update(connection, id, token, values);
            if (found != Outcome.ABSENT) {
                return found;
            }
        }
        // In some databases a failed statement aborts the transaction, unless it is rolled back to an earlier
        // savepoint.
        Savepoint before = inTransaction ? connection.setSavepoint() : null;
        Outcome updated;
        try {
            rows.insert(connection, id, token, values);
            updated = Outcome.WRITTEN;
        } catch (SQLException e) {
            if (!isDuplicate(e)) {
                throw e;
            }
            if (before != null) {
                connection.rollback(before);
            }
            updated = update(connection, id, token, values);
            if (updated == Outcome.ABSENT) {
                throw e;
            }
        }
        if (before != null) {
            release(connection, before);
        }
        return updated;
    }

    /**
     * A failure does not affect the write: some drivers cannot release savepoints, and a dead connection fails at the
     * commit.
     */
    private static void release(Connection connection, Savepoint before) {
        try {
            connection.releaseSavepoint(before);
        } catch (SQLException e) {
            // The savepoint ends with the transaction.
        }
    }

    /** A driver may throw an exception of another class than its SQL state implies. */
    private static boolean isDuplicate(SQLException refusal) {
        String state = refusal.getSQLState();
        return refusal instanceof SQLIntegrityConstraintViolationException
                || (state != null && state.startsWith(INTEGRITY_VIOLATED));
    }

    private static void requireToken(long token) {
        if (token <= 0) {
            throw new IllegalArgumentException(
                    "token must be positive, was " + token + "; a hold without a token has none");
        }
    }
}
