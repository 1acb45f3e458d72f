package dev.holdfast.examples.service.demo;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What the database has recorded. */
final class Ledger {
    private final JdbcClient database;

    Ledger(DataSource source) {
        database = JdbcClient.create(source);
    }

    /** Adds an item to the shop. */
    void stockUp(String item, int pieces) {
        database.sql("insert into item (id, stock) values (?, ?)")
                .params(item, pieces)
                .update();
    }

    int left(String item) {
        return database.sql("select stock from item where id = ?")
                .param(item)
                .query(Integer.class)
                .single();
    }

    int sold(String item) {
        return database.sql("select count(*) from sale where item = ?")
                .param(item)
                .query(Integer.class)
                .single();
    }

    /** {@return how many sales were of a piece that had been sold before} */
    int soldAgain(String item) {
        return database.sql("select count(*) - count(distinct piece) from sale where item = ?")
                .param(item)
                .query(Integer.class)
                .single();
    }

    /** {@return how many sales each instance has made} */
    Map<String, Integer> soldBy(String item) {
        Map<String, Integer> sales = new TreeMap<>();
        database.sql("select instance, count(*) as sales from sale where item = ? group by instance")
                .param(item)
                .query(row -> {
                    sales.put(row.getString("instance"), row.getInt("sales"));
                });
        return sales;
    }

    /** {@return the time between the last sale before this moment and the first one after it, if there are both} */
    Optional<Duration> standstillAt(String item, Instant moment) {
        return database.sql("""
                        select extract(epoch from min(sold_at) filter (where sold_at > :moment)
                                                - max(sold_at) filter (where sold_at <= :moment)) * 1000
                        from sale where item = :item
                        """)
                .param("moment", Timestamp.from(moment))
                .param("item", item)
                .query(Long.class)
                .optional()
                .map(Duration::ofMillis);
    }
}
