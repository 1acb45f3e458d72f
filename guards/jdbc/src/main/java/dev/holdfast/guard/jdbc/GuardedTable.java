package dev.holdfast.guard.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The SQL statements of a {@link JdbcGuard}. Each method executes one statement. */
final class GuardedTable {
    static final long NO_TOKEN = 0;

    /** Plain or quoted, with an optional schema before it. */
    private static final Pattern NAME =
            Pattern.compile("(([\\p{L}_][\\p{L}\\p{N}_$]*|\"[^\"]+\")\\.)*([\\p{L}_][\\p{L}\\p{N}_$]*|\"[^\"]+\")");

    private final String table;
    private final String key;
    private final String tokenColumn;

    GuardedTable(String table, String key, String tokenColumn) {
        this.table = name(table);
        this.key = name(key);
        this.tokenColumn = name(tokenColumn);
    }

    /**
     * Writes a row unless a larger token has written it; false if the update count is 0: no such row, or none to
     * change.
     */
    boolean overwrite(Connection connection, Object id, long token, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        StringBuilder sql = new StringBuilder("update ").append(table).append(" set ");
        List<Object> parameters = new ArrayList<>();
        values.forEach((column, value) -> sql.append(column(column))
                .append(" = ")
                .append(mark(value, parameters))
                .append(", "));
        sql.append(tokenColumn).append(" = ? where ").append(key).append(" = ? and (");
        sql.append(tokenColumn).append(" is null or ").append(tokenColumn).append(" <= ?)");
        parameters.addAll(List.of(token, id, token));
        return run(connection, sql.toString(), parameters) > 0;
    }

    /** {@return whether the transaction sees such a row} Takes no lock at isolation levels below SERIALIZABLE. */
    boolean exists(Connection connection, Object id) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("select 1 from " + table + " where " + key + " = ?")) {
            statement.setObject(1, id);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    /** Inserts a row that does not exist. */
    void insert(Connection connection, Object id, long token, Map<String, ? extends @Nullable Object> values)
            throws SQLException {
        StringBuilder columns = new StringBuilder("insert into ").append(table).append(" (");
        StringBuilder marks = new StringBuilder(") values (");
        List<Object> parameters = new ArrayList<>();
        values.forEach((column, value) -> {
            columns.append(column(column)).append(", ");
            marks.append(mark(value, parameters)).append(", ");
        });
        columns.append(key).append(", ").append(tokenColumn);
        parameters.addAll(List.of(id, token));
        run(connection, columns.append(marks).append("?, ?)").toString(), parameters);
    }

    /**
     * {@return the token of a row, or {@link #NO_TOKEN}; empty if there is no such row} Where the database supports it,
     * this reads the newest version of the row, as a write does, and not the one that the transaction saw when it
     * began.
     */
    OptionalLong lastToken(Connection connection, Object id) throws SQLException {
        String newest = connection.getMetaData().supportsSelectForUpdate() ? " for update" : "";
        try (PreparedStatement statement = connection.prepareStatement(
                "select " + tokenColumn + " from " + table + " where " + key + " = ?" + newest)) {
            statement.setObject(1, id);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    private static int run(Connection connection, String sql, List<Object> parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.size(); i++) {
                statement.setObject(i + 1, parameters.get(i));
            }
            return statement.executeUpdate();
        }
    }

    /** A null is written into the statement: as a parameter it would need a type with some drivers. */
    private static String mark(@Nullable Object value, List<Object> parameters) {
        if (value == null) {
            return "null";
        }
        parameters.add(value);
        return "?";
    }

    private String column(String column) {
        String plain = plain(name(column));
        if (plain.equalsIgnoreCase(plain(key)) || plain.equalsIgnoreCase(plain(tokenColumn))) {
            throw new IllegalArgumentException(
                    "values must be of other columns than " + key + " and " + tokenColumn + ", was " + column);
        }
        return column;
    }

    /** The column name without its table and quotes; a dot within quotes is part of the name. */
    private static String plain(String column) {
        int end = column.endsWith("\"") ? column.lastIndexOf('"', column.length() - 2) : column.lastIndexOf('.') + 1;
        return column.substring(end).replace("\"", "");
    }

    private static String name(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("a table or column must be a name in SQL, was \"" + name + "\"");
        }
        return name;
    }
}
