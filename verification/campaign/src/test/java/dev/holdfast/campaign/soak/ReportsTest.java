package dev.holdfast.campaign.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What an actor of a soak reports. */
class ReportsTest {
    private final List<SoakAnswer> reported = new ArrayList<>();

    /** Everything is held while the actor works, so that two holders are seen. */
    @Test
    void hold_works() {
        Random longest = new Random() {
            @Override
            public double nextDouble() {
                return 1;
            }
        };
        Reports reports = new Reports(Kind.CONDITION, 3, longest, reported::add);

        reports.hold(List.of("a"), () -> true, 1, 1, 7);

        assertThat(reported).singleElement().isInstanceOfSatisfying(SoakAnswer.Worked.class, worked -> {
            assertThat(worked.until() - worked.from())
                    .isGreaterThan(Duration.ofMillis(5).toNanos());
            assertThat(worked.token()).isEqualTo(7);
        });
    }

    /** What was found invalid is certain for no time. */
    @Test
    void hold_lost() {
        new Reports(Kind.PLAIN, 3, new Random(), reported::add).hold(List.of("a", "b"), () -> false, 1, 1, 0);

        assertThat(reported).hasSize(2).allSatisfy(answer -> assertThat(answer)
                .isInstanceOfSatisfying(SoakAnswer.Worked.class, worked -> assertThat(worked.until())
                        .isEqualTo(worked.from())));
    }
}
