package dev.holdfast.internal.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which arguments are accepted; the message of a rejected one names the rule and the value. */
@SuppressWarnings("NullAway") // null is one of the rejected values
@Tag("pure")
final class ArgumentsTest {
    private static final Duration LONGEST = Duration.ofDays(36_500);

    /** Any text that is not blank is a valid name. */
    @ParameterizedTest
    @ValueSource(strings = {"a", " a ", "名前", "😀", "{x}", "a\nb", "\0"})
    void name_ok(String name) {
        assertThat(Arguments.name(name)).isEqualTo(name);
    }

    /** A null name is rejected. */
    @Test
    void name_null() {
        assertThatThrownBy(() -> Arguments.name(null))
                .isInstanceOf(NullPointerException.class)
                .hasMessage("the name of a lock must not be null");
    }

    /** A blank name is rejected. */
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t\n"})
    void name_blank(String name) {
        assertThatThrownBy(() -> Arguments.name(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the name of a lock must not be blank, was \"" + name + "\"");
    }

    /** An unpaired surrogate is rejected at any position: encoded in UTF-8, two such names would become one. */
    @ParameterizedTest
    @ValueSource(strings = {"ab\uD83D", "ab\uDE00", "ab\uD83Dc", "ab\uDE00\uD83D", "ab\uD83D\uD83D"})
    void name_halfASurrogatePair(String name) {
        assertThatThrownBy(() -> Arguments.name(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("half a surrogate pair at index 2");
    }

    /** A lease is at least a millisecond, the shortest that Redis can keep, and at most a century. */
    @Test
    void lease_range() {
        assertThat(Arguments.lease(Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(1));
        assertThat(Arguments.lease(LONGEST)).isEqualTo(LONGEST);
        for (Duration tooShort : new Duration[] {Duration.ZERO, Duration.ofNanos(999_999), Duration.ofMillis(-1)}) {
            assertThatThrownBy(() -> Arguments.lease(tooShort))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("lease must be at least 1 ms, was " + tooShort);
        }
        assertThatThrownBy(() -> Arguments.lease(null)).hasMessage("lease must not be null");
    }

    /**
     * A duration that overflows a clock of nanoseconds is rejected with the rule in the message, unless it is a wait.
     */
    @Test
    void duration_overflowing() {
        Duration endless = Duration.ofSeconds(Long.MAX_VALUE);
        for (Runnable call : new Runnable[] {
            () -> Arguments.lease(endless),
            () -> Arguments.positive("x", endless),
            () -> Arguments.notNegative("x", endless),
            () -> Arguments.lease(LONGEST.plusNanos(1))
        }) {
            assertThatThrownBy(call::run)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("must be at most " + LONGEST);
        }
    }

    /** A wait may be zero, but not negative. */
    @Test
    void wait_range() {
        assertThat(Arguments.wait(Duration.ZERO)).isZero();
        assertThatThrownBy(() -> Arguments.wait(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("wait must not be negative, was PT-0.000000001S; zero never waits");
        assertThatThrownBy(() -> Arguments.wait(null)).hasMessage("wait must not be null");
    }

    /** A wait has no upper limit; more than a century counts as a century, as it does for a number. */
    @Test
    void wait_tooLong() {
        for (Duration endless : new Duration[] {
            LONGEST, LONGEST.plusNanos(1), Duration.ofMillis(Long.MAX_VALUE), Duration.ofSeconds(Long.MAX_VALUE)
        }) {
            assertThat(Arguments.wait(endless)).isEqualTo(LONGEST);
            assertThat(Arguments.waitAtMost("grace", endless)).isEqualTo(LONGEST);
        }
    }

    /**
     * A wait as a number never throws for its value: a negative one counts as zero, more than a century as a century.
     */
    @Test
    void waitNanos_anyNumber() {
        assertThat(Arguments.waitNanos(2, TimeUnit.MILLISECONDS)).isEqualTo(2_000_000);
        assertThat(Arguments.waitNanos(Long.MIN_VALUE, TimeUnit.DAYS)).isZero();
        assertThat(Arguments.waitNanos(Long.MAX_VALUE, TimeUnit.DAYS)).isEqualTo(LONGEST.toNanos());
        assertThatThrownBy(() -> Arguments.waitNanos(1, null)).hasMessage("unit must not be null");
    }

    /** A value that must be positive is named in the message. */
    @Test
    void positive_range() {
        assertThatThrownBy(() -> Arguments.positive("maxHold", Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxHold must be positive, was PT0S");
        assertThatThrownBy(() -> Arguments.positive("maxHold", null)).hasMessage("maxHold must not be null");
        assertThat(Arguments.notNegative("x", Duration.ZERO)).isZero();
        assertThatThrownBy(() -> Arguments.notNegative("x", null)).hasMessage("x must not be null");
        assertThat(Arguments.waitAtMost("grace", Duration.ZERO)).isZero();
        assertThatThrownBy(() -> Arguments.waitAtMost("grace", null)).hasMessage("grace must not be null");
    }
}
