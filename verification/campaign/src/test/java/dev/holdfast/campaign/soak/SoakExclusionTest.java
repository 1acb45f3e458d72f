package dev.holdfast.campaign.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.soak.SoakAnswer.Worked;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be held at once in a soak. */
class SoakExclusionTest {
    private static final long NEVER = Long.MAX_VALUE;

    private static Worked lock(String name, long from, long until, long token) {
        return new Worked(0, Kind.FENCED, name, from, until, 1, 1, token);
    }

    private static Worked some(long from, long until, int weight, int capacity) {
        return new Worked(0, Kind.SEMAPHORE, "permits", from, until, weight, capacity, 0);
    }

    /** One after the other, in whatever order they are reported, and different locks at once. */
    @Test
    void violations_none() {
        assertThat(Exclusion.violations(
                        List.of(lock("a", 20, 30, 2), lock("a", 10, 20, 1), lock("b", 15, 25, 1)), NEVER))
                .isEmpty();
    }

    /** Two holders at once. */
    @Test
    void violations_two() {
        assertThat(Exclusion.violations(List.of(lock("a", 10, 20, 1), lock("a", 19, 30, 2)), NEVER))
                .singleElement()
                .asString()
                .startsWith("too many hold a at once");
    }

    /** A long hold is compared with all that begin in it. */
    @Test
    void violations_within() {
        assertThat(Exclusion.violations(
                        List.of(lock("a", 10, 90, 3), lock("a", 20, 30, 1), lock("a", 40, 50, 2)), NEVER))
                .hasSize(2);
    }

    /** A hold that was found invalid is compared with none. */
    @Test
    void violations_lost() {
        assertThat(Exclusion.violations(List.of(lock("a", 10, 30, 2), lock("a", 15, 15, 1)), NEVER))
                .isEmpty();
    }

    /** Readers are together, a writer is alone. */
    @Test
    void violations_readers() {
        assertThat(Exclusion.violations(List.of(some(10, 30, 1, 1_000), some(15, 35, 1, 1_000)), NEVER))
                .isEmpty();
        assertThat(Exclusion.violations(List.of(some(10, 30, 1, 1_000), some(15, 35, 1_000, 1_000)), NEVER))
                .hasSize(1);
    }

    /** No more permits than there are. */
    @Test
    void violations_permits() {
        assertThat(Exclusion.violations(List.of(some(10, 30, 2, 4), some(15, 35, 2, 4)), NEVER))
                .isEmpty();
        assertThat(Exclusion.violations(List.of(some(10, 30, 2, 4), some(15, 35, 2, 4), some(20, 25, 1, 4)), NEVER))
                .hasSize(1);
    }

    /** From the moment in which a fault deletes data, there may be two holders. */
    @Test
    void violations_afterLoss() {
        List<Worked> both = List.of(lock("a", 10, 20, 1), lock("a", 19, 30, 2));

        assertThat(Exclusion.violations(both, 19)).isEmpty();
        assertThat(Exclusion.violations(both, 20)).hasSize(1);
    }

    /** Tokens grow from hold to hold, also after such a moment. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void violations_tokens(long next) {
        assertThat(Exclusion.violations(List.of(lock("a", 10, 20, 2), lock("a", 25, 30, next)), 0))
                .singleElement()
                .asString()
                .startsWith("a token of a that is not larger");
    }
}
