package dev.holdfast.internal.kind;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.redis.Call;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The arguments of the plain lock's commands. */
@Tag("pure")
final class PlainKindTest {
    private static final byte[] OWNER = "6f8e:-17".getBytes(UTF_8);

    private final PlainKind plain = new PlainKind();
    private final LockKey lock = new LockKey(plain, "orders:42", "shop:");

    private Claim claim(int count, long leaseMillis) {
        return new Claim(lock, OWNER, 123, count, leaseMillis);
    }

    /** {@return the arguments that follow the script's SHA} */
    private static List<String> words(Call call) {
        ByteBuf out = Unpooled.buffer();
        ((RedisCommand<?, ?, ?>) call).encode(out);
        List<String> lines = out.toString(UTF_8).lines().toList();
        assertThat(lines.get(0)).isEqualTo("*" + (lines.size() - 1) / 2);
        List<String> words = new ArrayList<>();
        for (int i = 1; i < lines.size(); i += 2) {
            assertThat(lines.get(i)).isEqualTo("$" + lines.get(i + 1).getBytes(UTF_8).length);
            words.add(lines.get(i + 1));
        }
        assertThat(words.get(0)).isEqualTo("EVALSHA");
        return words.subList(2, words.size());
    }

    /** An acquire has the owner, the tenure, the count after it, and the lease. */
    @Test
    void acquire_words() {
        assertThat(words(plain.acquire(claim(2, 30_000), call -> {})))
                .containsExactly("1", "shop:orders:42", "6f8e:-17", "123", "2", "30000");
    }

    /** No lease is so short that setting it may delete the key in the middle of a script. */
    @Test
    void acquire_words_shortestLease() {
        assertThat(words(plain.acquire(claim(1, 1), call -> {}))).last().isEqualTo("2");
    }

    /** A claim that asks for no lease gets none: a semaphore is verified by a renewal for no time. */
    @Test
    void verify_words_ofPermits() {
        assertThat(words(new PermitsKind(null).verify(List.of(claim(1, 0)), call -> {})))
                .containsExactly("1", "shop:orders:42", "6f8e:-17", "123", "0");
    }

    /** A label is sent with a first acquire, not with a re-entry. */
    @Test
    void acquire_words_withLabel() {
        PlainKind labelled = new PlainKind("pod 7");
        assertThat(words(labelled.acquire(claim(1, 30_000), call -> {})))
                .containsExactly("1", "shop:orders:42", "6f8e:-17", "123", "1", "30000", "pod 7");
        assertThat(words(labelled.acquire(claim(2, 30_000), call -> {})))
                .containsExactly("1", "shop:orders:42", "6f8e:-17", "123", "2", "30000");
    }

    /** A release has the owner, the tenure, the count after it, and the channel and publish command of its message. */
    @Test
    void release_words() {
        assertThat(words(plain.release(claim(0, 0), call -> {})))
                .containsExactly(
                        "1",
                        "shop:orders:42",
                        "6f8e:-17",
                        "123",
                        "0",
                        "redisson_lock__channel:{shop:orders:42}",
                        "PUBLISH");
    }

    /** A forced unlock has the lock and the channel of its message; an inspection, the lock only. */
    @Test
    void forceUnlock_andInspect_words() {
        assertThat(words(plain.forceUnlock(lock, call -> {})))
                .containsExactly("1", "shop:orders:42", "redisson_lock__channel:{shop:orders:42}", "PUBLISH", "0");
        assertThat(words(plain.inspect(lock, call -> {}))).containsExactly("1", "shop:orders:42");
    }
}
