package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@SuppressWarnings({"LockNotBeforeTry", "CatchAndPrintStackTrace"})
class SmokeTest {
    @Test
    void smoke() throws Exception {
        try (RedisServer server = RedisServer.start();
                Holdfast one = Holdfast.connect(server.uri());
                Holdfast two = Holdfast.connect(server.uri())) {
            DistributedLock a = one.getLock("x");
            DistributedLock b = two.getLock("x");
            a.lock();
            a.lock();
            System.out.println(a.inspect() + " " + one.stats() + one.residue());
            assertThat(b.tryLock()).isFalse();
            a.unlock();
            a.unlock();
            assertThat(b.tryLock(Duration.ofSeconds(1))).isTrue();
            b.unlock();
            long t = System.nanoTime();
            for (int i = 0; i < 20000; i++) {
                a.lock();
                a.unlock();
            }
            System.out.println("uncontended/s " + 20000e9 / (System.nanoTime() - t));
            int[] n = new int[1];
            List<Thread> ts = new ArrayList<>();
            t = System.nanoTime();
            for (int i = 0; i < 16; i++) {
                DistributedLock l = i % 2 == 0 ? a : b;
                Thread th = new Thread(() -> {
                    for (int k = 0; k < 500; k++) {
                        l.lock();
                        n[0]++;
                        l.unlock();
                    }
                });
                ts.add(th);
                th.start();
            }
            for (Thread th : ts) {
                th.join();
            }
            System.out.println("contended/s " + 8000e9 / (System.nanoTime() - t));
            assertThat(n[0]).isEqualTo(8000);
            System.out.println(a.lockAsync().thenCompose(x -> a.tryLockAsync()).get());
            System.out.println(one.stats() + one.residue() + two.residue() + server.keys());
        }
    }
}
