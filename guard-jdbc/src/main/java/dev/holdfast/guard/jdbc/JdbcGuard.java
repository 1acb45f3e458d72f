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
 * Writes rows of one table on behalf of the holder of a fenced lock, and refuses the holder that was paused for too long: one
 * whose fencing token is smaller than that of the last write. Each row has a column for the last token; the token is compared
 * and written by the very statement that writes the row, so nothing comes in between:
 *
 * <pre>{@code
 * update orders set state = ?, token = ? where id = ? and (token is null or token <= ?)
 * }</pre>
 *
 * <p>Why that statement found nothing to write is asked for afterwards: by then the row may be another, and if it is one that
 * this token may write, the statement runs again.
 *
 * <p>It runs on a connection of yours, in a transaction of yours if there is one, and knows nothing of locks: any source of
 * tokens will do that grow with each holder. The column is a {@code bigint}; rows from before it was added may have null in it.
 *
 * <p><b>Several rows, or statements of your own.</b> In a transaction the row that was written stays locked until its end. So
 * one row may stand for much: {@link #update} it first, with no other values, and do the rest if that was
 * {@link Outcome#WRITTEN}. A later holder waits for the end of your transaction; an earlier one is refused.
 *
 * <p><b>What it does not guarantee.</b> Whoever writes the table by another way does without the guard. It does not say that
 * the writer still holds its lock, only that no later holder has written. Whether two writers at once are told apart by a
 * wait or by an error is up to the isolation level: an error of the database means that nothing was written.
 *
 * <p><b>Which databases.</b> It is tested on H2, PostgreSQL and MariaDB, at READ COMMITTED, REPEATABLE READ and SERIALIZABLE, and
 * is plain SQL: {@code select .. for update} is used where the driver says that there is such a thing. Without that, and where
 * a transaction goes on reading what was there when it began, the answer may be an error in place of {@link Outcome#STALE}. At
 * READ COMMITTED, and on MariaDB at its default REPEATABLE READ, two first writers end without an error. Quoted names are those of
 * the standard: to MySQL and MariaDB {@code "id"} is a text and no column unless their {@code ANSI_QUOTES} is on, so do
 * not quote there. {@link #put} sets a savepoint in a transaction of yours, which connections of a distributed one (XA)
 * refuse: {@link #update} needs none.
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

    /** What became of a write. */
    public enum Outcome {
        /** It was written; once it is committed, nobody with a smaller token writes this row. */
        WRITTEN,
        /** A later holder has written this row: nothing was done. */
        STALE,
        /** There is no such row: nothing was done. */
        ABSENT
    }

    /** How often a row may come or change just after it was found not to be there, before that is an error. */
    private static final int TRIES = 3;

    private static final String INTEGRITY_VIOLATED = "23";

    private final GuardedTable rows;

    private JdbcGuard(GuardedTable rows) {
        this.rows = rows;
    }

    /**
     * {@return a guard of this table}
     *
     * @param key the column that names a row: its primary key, or one with a unique constraint
     * @param tokenColumn the column of the last token
     * @throws IllegalArgumentException if one of these cannot be a name in SQL. They become part of statements
     */
    public static JdbcGuard of(String table, String key, String tokenColumn) {
        return new JdbcGuard(new GuardedTable(table, key, tokenColumn));
    }

    /**
     * Updates a row.
     *
     * @param id of the row
     * @param token of the hold that the writer believes to have
     * @param values by column, neither the key's nor the token's; none to write the token alone
     * @throws SQLTransientException if the row came and went so often that nothing can be said of it; nothing was written
     * @throws SQLException if the database refuses the statement, and nothing was written
     * @throws IllegalArgumentException if the token is not positive, or a column cannot be a name in SQL, or is that of the
     *     key or the token, in whatever case and quotes
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
            return Outcome.WRITTEN; // It is as it is to be: some drivers count only the rows that a write has changed.
        }
        throw new SQLTransientException("the row of " + id + " came and went " + TRIES + " times; nothing was written");
    }

    /**
     * {@link #update}, or inserts the row if it is not there. Of two writers that insert it at once, one does, and the other
     * updates it if its token allows. In a transaction it looks first whether there is a row, without a lock.
     *
     * @return {@link Outcome#WRITTEN} or {@link Outcome#STALE}
     * @throws SQLException as {@link #update} does; also, of two writers that insert the row at once in transactions that go on
     *     reading what was there when they began, for one of them: a serialization failure, a deadlock, or the violation of
     *     the key. It has written nothing, and succeeds or is stale when its transaction is repeated
     */
    @CheckReturnValue
    public Outcome put(Connection connection, Object id, long token, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        boolean inTransaction = !connection.getAutoCommit();
        // An update that finds no row may lock the gap until the transaction ends (InnoDB): two writers would wait for
        // each other.
        if (!inTransaction || rows.exists(connection, id)) {
            Outcome found = update(connection, id, token, values);
            if (found != Outcome.ABSENT) {
                return found;
            }
        }
        // To some databases a transaction in which a statement has failed is over, unless it goes back behind that.
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

    /** What was written is written, whatever comes of this: some drivers cannot, and a dead connection says so at the commit. */
    private static void release(Connection connection, Savepoint before) {
        try {
            connection.releaseSavepoint(before);
        } catch (SQLException e) {
            // It goes with the transaction.
        }
    }

    /** A driver need not throw the class that its SQL state stands for. */
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
