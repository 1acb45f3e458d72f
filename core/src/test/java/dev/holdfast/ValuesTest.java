package dev.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The public data types are values: equal if all their properties are, and readable as text. */
@Tag("pure")
final class ValuesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Instant THEN = Instant.parse("2026-02-03T04:05:06.789Z");

    /** Asserts that it is equal to its copy, and to nothing that differs in any property. */
    private static void assertValue(Object value, Object like, Object... others) {
        assertThat(value).isEqualTo(like).hasSameHashCodeAs(like).isNotEqualTo("a text");
        assertThat(others).doesNotContain(value).doesNotHaveDuplicates();
        assertThat(value).hasToString(like.toString());
        assertThat(others).extracting(Object::toString).doesNotContain(value.toString());
    }

    /** A loss consists of its reason and its times. */
    @Test
    void leaseLoss_isValue() {
        assertValue(
                LeaseLoss.of(LossReason.GONE, SECOND, Duration.ZERO),
                LeaseLoss.of(LossReason.GONE, SECOND, Duration.ZERO),
                LeaseLoss.of(LossReason.TAKEN, SECOND, Duration.ZERO),
                LeaseLoss.of(LossReason.GONE, Duration.ZERO, Duration.ZERO),
                LeaseLoss.of(LossReason.GONE, SECOND, SECOND));
    }

    /** A loss is part of an exception, and is serialized with it. */
    @Test
    void leaseLoss_isSerializable() throws IOException, ClassNotFoundException {
        LeaseLoss loss = LeaseLoss.of(LossReason.GONE, SECOND, Duration.ZERO);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new LeaseLostException("lost on purpose", loss));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(((LeaseLostException) in.readObject()).loss()).isEqualTo(loss);
        }
    }

    /** A holder is equal by all of its properties. */
    @Test
    void lockHolder_isValue() {
        assertValue(
                LockHolder.of("c:1", "pod", 1, THEN, LockMode.EXCLUSIVE),
                LockHolder.of("c:1", "pod", 1, THEN, LockMode.EXCLUSIVE),
                LockHolder.of("c:2", "pod", 1, THEN, LockMode.EXCLUSIVE),
                LockHolder.of("c:1", null, 1, THEN, LockMode.EXCLUSIVE),
                LockHolder.of("c:1", "pod", 2, THEN, LockMode.EXCLUSIVE),
                LockHolder.of("c:1", "pod", 1, null, LockMode.EXCLUSIVE),
                LockHolder.of("c:1", "pod", 1, THEN, LockMode.SHARED),
                LockHolder.of("c:1", "pod", 1, THEN, LockMode.EXCLUSIVE).withRemainingLease(SECOND),
                LockHolder.of("c:1", "pod", 1, THEN, LockMode.EXCLUSIVE).withToken(OptionalLong.of(7)));
    }

    /** A lock's information is its name, its holders, its lease and its subscribers. */
    @Test
    void lockInfo_isValue() {
        LockHolder holder = LockHolder.of("c:1", "pod", 1, THEN, LockMode.EXCLUSIVE);
        OptionalInt two = OptionalInt.of(2);
        assertValue(
                LockInfo.of("a", List.of(holder), SECOND, two),
                LockInfo.of("a", List.of(holder), SECOND, two),
                LockInfo.of("b", List.of(holder), SECOND, two),
                LockInfo.of("a", List.of(), SECOND, two),
                LockInfo.of("a", List.of(holder), null, two),
                LockInfo.of("a", List.of(holder), SECOND, OptionalInt.empty()),
                LockInfo.of("a", List.of(holder), SECOND, two).withClientsInLine(1),
                LockInfo.of("a", List.of(holder), SECOND, two)
                        .withLine(List.of(LockInfo.Request.of("client:1", null, LockType.FAIR))),
                LockInfo.of("a", List.of(holder), SECOND, two)
                        .withConditionWaiters(Map.of("full", List.of("client:1"))));
    }

    /** A request in line is equal by all of its properties. */
    @Test
    void lockRequest_isValue() {
        assertValue(
                LockInfo.Request.of("c:1", "pod", LockType.FAIR),
                LockInfo.Request.of("c:1", "pod", LockType.FAIR),
                LockInfo.Request.of("c:2", "pod", LockType.FAIR),
                LockInfo.Request.of("c:1", null, LockType.FAIR),
                LockInfo.Request.of("c:1", "pod", LockType.PLAIN));
    }

    /** Statistics are equal by their numbers. */
    @Test
    void stats_isValue() {
        assertValue(
                HoldfastStats.of(Map.of(HoldfastStats.Counter.ACQUIRED, 1L), Map.of(LossReason.GONE, 1L)),
                HoldfastStats.of(Map.of(HoldfastStats.Counter.ACQUIRED, 1L), Map.of(LossReason.GONE, 1L)),
                HoldfastStats.of(Map.of(HoldfastStats.Counter.ACQUIRED, 2L), Map.of(LossReason.GONE, 1L)),
                HoldfastStats.of(Map.of(HoldfastStats.Counter.RELEASED, 1L), Map.of(LossReason.GONE, 1L)),
                HoldfastStats.of(Map.of(HoldfastStats.Counter.ACQUIRED, 1L), Map.of(LossReason.TAKEN, 1L)));
    }
}
