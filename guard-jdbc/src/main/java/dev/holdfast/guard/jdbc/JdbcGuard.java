package dev.holdfast.guard.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows of one table on behalf of the holder of a fenced lock, and refuses the holder that was paused for too long: one
 * whose fencing token is smaller than that of the last write. Each row has a column for the last token; the token is compared
 * and written by the very statement that writes the row, so nothing comes in between:
 *
 * <pre>{@code
 * update orders set state = ?, fence = ? where id = ? and (fence is null or fence <= ?)
 * }</pre>
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
 * <pre>{@code
 * JdbcGuard guard = JdbcGuard.of("orders", "id", "fence");
 * switch (guard.update(connection, 42, lock.getFence(), Map.of("state", "shipped"))) {
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

    /** Plain or quoted, and with a schema before it. */
    private static final Pattern NAME =
            Pattern.compile("(([\\p{L}_][\\p{L}\\p{N}_$]*|\"[^\"]+\")\\.)*([\\p{L}_][\\p{L}\\p{N}_$]*|\"[^\"]+\")");

    private static final String INTEGRITY_VIOLATED = "23";

    private final String table;
    private final String key;
    private final String fence;

    private JdbcGuard(String table, String key, String fence) {
        this.table = table;
        this.key = key;
        this.fence = fence;
    }

    /**
     * {@return a guard of this table}
     *
     * @param key the column that names a row: its primary key, or one with a unique constraint
     * @param fence the column of the last token
     * @throws IllegalArgumentException if one of these cannot be a name in SQL. They become part of statements
     */
    public static JdbcGuard of(String table, String key, String fence) {
        return new JdbcGuard(name(table), name(key), name(fence));
    }

    /**
     * Updates a row.
     *
     * @param id of the row
     * @param token of the hold that the writer believes to have
     * @param values by column; none to write the token alone
     * @throws SQLException if the database refuses the statement, and nothing was written
     * @throws IllegalArgumentException if the token is not positive, or a column cannot be a name in SQL
     */
    @CheckReturnValue
    public Outcome update(Connection connection, Object id, long token, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        requireToken(token);
        StringBuilder sql = new StringBuilder("update ").append(table).append(" set ");
        List<@Nullable Object> parameters = new ArrayList<>();
        values.forEach((column, value) -> {
            sql.append(name(column)).append(" = ?, ");
            parameters.add(value);
        });
        sql.append(fence).append(" = ? where ").append(key).append(" = ? and (");
        sql.append(fence).append(" is null or ").append(fence).append(" <= ?)");
        parameters.add(token);
        parameters.add(id);
        parameters.add(token);
        if (run(connection, sql.toString(), parameters) > 0) {
            return Outcome.WRITTEN;
        }
        return exists(connection, id) ? Outcome.STALE : Outcome.ABSENT;
    }

    /**
     * {@link #update}, or inserts the row if it is not there. Of two writers that insert it at once, one does, and the other
     * updates it if its token allows.
     *
     * @return {@link Outcome#WRITTEN} or {@link Outcome#STALE}
     */
    @CheckReturnValue
    public Outcome put(Connection connection, Object id, long token, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        Outcome updated = update(connection, id, token, values);
        if (updated != Outcome.ABSENT) {
            return updated;
        }
        // To some databases a transaction in which a statement has failed is over, unless it goes back behind that.
        Savepoint before = connection.getAutoCommit() ? null : connection.setSavepoint();
        try {
            insert(connection, id, token, values);
            return Outcome.WRITTEN;
        } catch (SQLException e) {
            if (!isDuplicate(e)) {
                throw e;
            }
            if (before != null) {
                connection.rollback(before);
            }
            Outcome afterwards = update(connection, id, token, values);
            if (afterwards == Outcome.ABSENT) {
                throw e;
            }
            return afterwards;
        }
    }

    private void insert(Connection connection, Object id, long token, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        StringBuilder columns = new StringBuilder("insert into ").append(table).append(" (");
        StringBuilder marks = new StringBuilder(") values (");
        List<@Nullable Object> parameters = new ArrayList<>();
        values.forEach((column, value) -> {
            columns.append(name(column)).append(", ");
            marks.append("?, ");
            parameters.add(value);
        });
        columns.append(key).append(", ").append(fence);
        parameters.add(id);
        parameters.add(token);
        run(connection, columns.append(marks).append("?, ?)").toString(), parameters);
    }

    private boolean exists(Connection connection, Object id) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("select 1 from " + table + " where " + key + " = ?")) {
            statement.setObject(1, id);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    private static int run(Connection connection, String sql, List<@Nullable Object> parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.size(); i++) {
                statement.setObject(i + 1, parameters.get(i));
            }
            return statement.executeUpdate();
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

    private static String name(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a table or column must be a name in SQL, was \"" + name + "\"");
        }
        return name;
    }
}
