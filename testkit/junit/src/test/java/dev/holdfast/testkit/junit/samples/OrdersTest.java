package dev.holdfast.testkit.junit.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.junit.HoldfastExtension;
import dev.holdfast.testkit.junit.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(HoldfastExtension.class)
class OrdersTest {
    private final TestRedis redis;
    private final Orders orders;

    OrdersTest(TestRedis redis, Holdfast holdfast) {
        this.redis = redis;
        this.orders = new Orders(holdfast.getLock("orders"));
    }

    @Test
    void accept_isRefusedDuringAnOutage() {
        redis.partition();
        assertThat(orders.accept()).isFalse();

        redis.heal();
        await().until(orders::accept);
    }

    @Test
    void beginImport_isNotForEver() {
        Lease lease = orders.beginImport();
        redis.clock().advance(Orders.LONGEST_IMPORT);
        assertThat(lease.isValid()).isFalse();
    }
}
