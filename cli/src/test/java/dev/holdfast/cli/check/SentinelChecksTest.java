package dev.holdfast.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What follows from the answers of sentinels. */
@Tag("pure")
final class SentinelChecksTest {
    private static SentinelView sentinel(int others, int quorum, int downAfter) {
        return new SentinelView(
                "s:26379",
                Answer.of("a:6379"),
                Answer.of(Map.of(
                        "name", "orders",
                        "num-other-sentinels", "" + others,
                        "quorum", "" + quorum,
                        "down-after-milliseconds", "" + downAfter)),
                Answer.of(true));
    }

    private static final SentinelView REFUSED = new SentinelView(
            "s:26379",
            Answer.unknown(Answers.REFUSED),
            Answer.unknown(Answers.REFUSED),
            Answer.unknown(Answers.REFUSED));

    private static Finding named(int answering, int silent, int others) {
        return SentinelChecks.named(
                IntStream.range(0, answering)
                        .mapToObj(i -> sentinel(others, 2, 1_000))
                        .toList(),
                IntStream.range(0, silent)
                        .mapToObj(i -> new Unreached("s:" + i, Unreached.Part.SENTINEL, "refused"))
                        .toList());
    }

    @Test
    void named() {
        assertThat(named(3, 0, 2)).returns(Level.OK, Finding::level);
        assertThat(named(2, 1, 2)).returns(Level.OK, Finding::level);
        assertThat(named(1, 1, 2)).returns(Level.ERROR, Finding::level);
        assertThat(named(2, 0, 1)).returns(Level.WARNING, Finding::level);
        assertThat(named(3, 0, 4))
                .returns(Level.WARNING, Finding::level)
                .returns("the addresses of all 5 in the address", Finding::set);
        assertThat(SentinelChecks.named(List.of(REFUSED, REFUSED, REFUSED), List.of()))
                .returns(Level.ERROR, Finding::level);
    }

    @Test
    void named_differently() {
        SentinelView other = new SentinelView(
                "t:26379", Answer.of("b:6379"), sentinel(1, 2, 1_000).state(), Answer.of(true));
        Finding finding = SentinelChecks.named(List.of(sentinel(2, 2, 1_000), other, other), List.of());
        assertThat(finding.level()).isEqualTo(Level.WARNING);
        assertThat(finding.figure()).endsWith("which name a:6379 and b:6379");
    }

    /** One that does not answer is a line of its own. */
    @Test
    void silent_isNamed() {
        List<Finding> findings = SentinelChecks.of(
                List.of(sentinel(2, 2, 1_000), sentinel(2, 2, 1_000)),
                List.of(new Unreached("t:26379", Unreached.Part.SENTINEL, "Connection refused")));
        assertThat(findings)
                .filteredOn(finding -> finding.level() == Level.WARNING)
                .singleElement()
                .returns(List.of("t:26379"), Finding::where)
                .returns("does not answer: Connection refused", Finding::figure);
    }

    @Test
    void quorum() {
        assertThat(SentinelChecks.quorum(sentinel(2, 2, 1), 3)).returns(Level.OK, Finding::level);
        assertThat(SentinelChecks.quorum(sentinel(2, 1, 1), 3))
                .returns(Level.NOTE, Finding::level)
                .returns("SENTINEL SET orders quorum 2", Finding::set);
        assertThat(SentinelChecks.quorum(sentinel(2, 3, 1), 3)).returns(Level.WARNING, Finding::level);
        assertThat(SentinelChecks.quorum(sentinel(2, 4, 1), 3)).returns(Level.ERROR, Finding::level);
        assertThat(SentinelChecks.quorum(REFUSED, 3).figure()).startsWith("quorum unknown");
    }

    @Test
    void downAfter() {
        assertThat(SentinelChecks.downAfter(sentinel(2, 2, 1_000))).returns(Level.OK, Finding::level);
        assertThat(SentinelChecks.downAfter(sentinel(2, 2, 5_000))).returns(Level.OK, Finding::level);
        assertThat(SentinelChecks.downAfter(sentinel(2, 2, 500))).returns(Level.WARNING, Finding::level);
        assertThat(SentinelChecks.downAfter(sentinel(2, 2, 30_000)))
                .returns(Level.WARNING, Finding::level)
                .returns("SENTINEL SET orders down-after-milliseconds 5000", Finding::set)
                .satisfies(finding -> assertThat(finding.figure()).contains("takes 31 s"));
        assertThat(SentinelChecks.downAfter(REFUSED).figure()).contains("unknown");
    }

    @Test
    void reports() {
        assertThat(SentinelChecks.reports(sentinel(2, 2, 1))).returns(Level.OK, Finding::level);
        assertThat(SentinelChecks.reports(REFUSED)).returns(Level.WARNING, Finding::level);
    }
}
