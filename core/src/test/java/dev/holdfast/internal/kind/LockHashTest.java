package dev.holdfast.internal.kind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockHolder;
import dev.holdfast.LockInfo;
import dev.holdfast.LockMode;
import dev.holdfast.LockType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How a reply of {@code inspect.lua} is read. */
@Tag("pure")
final class LockHashTest {
    private static LockInfo read(Object... seen) {
        return LockHash.read("orders", List.of(seen)).orElseThrow();
    }

    /** A hold of this library is shown as its owner and count, without the tenure. */
    @Test
    void read_held() {
        LockInfo expected = held(null, null);
        assertThat(read(1500L, "c:1", "2", "c:1:tenure", "9")).isEqualTo(expected);
        assertThat(read(1500L, "c:1:tenure", "9", "c:1", "2")).isEqualTo(expected);
        assertThat(expected.isLocked()).isTrue();
    }

    /** A tenure drawn from the clock gives the start of the hold, and a client that has a label is shown with it. */
    @Test
    void read_sinceAndLabel() {
        Instant since = Instant.parse("2026-02-03T04:05:06.789Z");
        String tenure = since.toEpochMilli() + "123";
        LockInfo expected = held("pod 7", since);
        assertThat(read(1500L, "c:1", "2", "c:1:tenure", tenure, "c:label", "pod 7"))
                .isEqualTo(expected);
        assertThat(read(1500L, "c:label", "pod 7", "c:1:tenure", tenure, "c:1", "2"))
                .isEqualTo(expected);
        assertThat(read(1500L, "c:1", "2", "c:1:tenure", "no number").holders())
                .extracting(LockHolder::since)
                .containsExactly(Optional.empty());
    }

    private static LockInfo held(@Nullable String label, @Nullable Instant since) {
        LockHolder holder = LockHolder.of("c:1", label, 2, since, LockMode.EXCLUSIVE);
        return LockInfo.of("orders", List.of(holder), Duration.ofMillis(1500), OptionalInt.empty());
    }

    /** Each of several owners has its own count and start, and its client's label; there is no single holder then. */
    @Test
    void read_severalHolders() {
        Instant since = Instant.parse("2026-02-03T04:05:06.789Z");
        LockInfo seen = read(
                1500L,
                "c:1",
                "2",
                "c:1:tenure",
                since.toEpochMilli() + "123",
                "c:label",
                "pod 7",
                "d:1",
                "1",
                "c:-2",
                "3");
        assertThat(seen.holders())
                .containsExactlyInAnyOrder(
                        LockHolder.of("c:1", "pod 7", 2, since, LockMode.EXCLUSIVE),
                        LockHolder.of("c:-2", "pod 7", 3, null, LockMode.EXCLUSIVE),
                        LockHolder.of("d:1", null, 1, null, LockMode.EXCLUSIVE));
        assertThat(seen.holder()).isEmpty();
        assertThat(seen.holdCount()).isEqualTo(6);
        assertThat(seen.isLocked()).isTrue();
    }

    /** A hold of another program has no tenure. */
    @Test
    void read_withoutTenure() {
        assertThat(read(1500L, "c:1", "1").holder()).map(LockHolder::owner).hasValue("c:1");
    }

    /** A lease without end is an empty duration. */
    @Test
    void read_withoutEnd() {
        assertThat(read(-1L, "c:1", "1").remainingLease()).isEmpty();
    }

    /** The clients in line are counted, also in a line to whose value a later version has added words. */
    @Test
    void read_clientsInLine() {
        String value = "4 9 3 8 1700000000000002";
        assertThat(read(1500L, "c:1", "1", "line", value).clientsInLine()).isEqualTo(3);
        assertThat(read(1500L, "c:1", "1", "line", value + " a word").clientsInLine())
                .isEqualTo(3);
        assertThat(read(1500L, "c:1", "1", "line", "another format").clientsInLine())
                .isZero();
    }

    /** The line is read in the order of its places, with what each request is for; a fair one has a place of its owner. */
    @Test
    void read_line() {
        LockInfo seen = read(
                1500L,
                "c:1",
                "1",
                "line",
                "9 11 3 8 1700000000000002",
                "line:10",
                "e:2 17 3000 1 ",
                "line:9",
                "d:1 16 3000 0 pod 7",
                "d:line",
                "9",
                "e:line",
                "10",
                "line:11",
                "c:4 18 3000 0 ",
                "c:4:line",
                "11",
                "line:12",
                "another format");
        assertThat(seen.line())
                .containsExactly(
                        LockInfo.Request.of("d:1", "pod 7", LockType.PLAIN),
                        LockInfo.Request.of("e:2", null, LockType.FENCED),
                        LockInfo.Request.of("c:4", null, LockType.FAIR));
    }

    /** The token of a fenced hold is shown with it. */
    @Test
    void read_token() {
        assertThat(read(1500L, "c:1", "1", "c:1:token", "12").holders())
                .extracting(LockHolder::token)
                .containsExactly(OptionalLong.of(12));
    }

    /** All that wait to read are next after a writer, and after readers the first that waits to write; a place may be left. */
    @Test
    void read_lineOfReadersAndWriters() {
        Object[] line = {
            "c:reader", "c:9 5 3000 pod 7", "writer:4", "e:2 7 3000 ", "writer:3", "d:1 6 3000 ", "writer:2", "f:",
        };
        LockInfo.Request reader = LockInfo.Request.of("c:9", "pod 7", LockType.READ);
        LockInfo.Request first = LockInfo.Request.of("d:1", null, LockType.WRITE);
        LockInfo.Request second = LockInfo.Request.of("e:2", null, LockType.WRITE);
        assertThat(readWrite("write", line).line()).containsExactly(reader, first, second);
        assertThat(readWrite("shared", line).line()).containsExactly(first, reader, second);
        assertThat(readWrite("shared", "c:reader", "c:9 5 3000 pod 7").line()).containsExactly(reader);
    }

    private static LockInfo readWrite(String mode, Object... fields) {
        List<Object> seen = new ArrayList<>(List.of(1500L, 0L, "mode", mode, "h:1", "1"));
        seen.addAll(List.of(fields));
        return ReadWriteHash.read("prices", seen, null).orElseThrow();
    }

    /** Fields that a later version has added are ignored, whatever their values. */
    @Test
    void read_furtherFields() {
        LockInfo known = read(1500L, "c:1", "1", "c:1:tenure", "9");
        assertThat(read(1500L, "added", "7", "c:added", "8", "c:1:added", "a text", "c:1", "1", "c:1:tenure", "9"))
                .isEqualTo(known);
        assertThat(read(1500L, "added:5", "a text", "c:1", "1", "c:1:tenure", "9"))
                .isEqualTo(known);
    }

    /** A hash with a mode belongs to another kind of lock, and one without a hold to another program. */
    @Test
    void read_ofAnotherKind() {
        assertThat(LockHash.read("orders", List.of(1500L, "mode", "read", "c:1", "1")))
                .isEmpty();
        assertThat(LockHash.read("orders", List.of(1500L, "c:1", "1", "mode", "read")))
                .isEmpty();
        assertThat(LockHash.read("orders", List.of(-1L, "status", "paid", "c:1", "a text", "c:1:tenure", "9")))
                .isEmpty();
    }

    /** A free lock has neither owner nor lease. */
    @Test
    void read_free() {
        LockInfo free = read(-2L);
        assertThat(free).isEqualTo(LockInfo.of("orders", List.of(), null, OptionalInt.empty()));
        assertThat(free.isLocked()).isFalse();
        assertThat(free.holdCount()).isZero();
    }
}
