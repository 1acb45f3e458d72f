package dev.holdfast.campaign.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.campaign.schedule.FaultKind;
import dev.holdfast.campaign.schedule.FaultPlan;
import dev.holdfast.campaign.schedule.Library;
import dev.holdfast.campaign.schedule.RoundPlan;
import dev.holdfast.campaign.schedule.Schedule;
import dev.holdfast.campaign.schedule.Theme;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A small campaign: real processes, real faults, every rule. */
@Tag("slow")
class CampaignRunTest {
    private static final int ROUNDS = 2;

    /** Fewer kinds of faults than the rounds have together. */
    private static final int MANY_KINDS = 10;

    /** The longest time that all faults of the rounds may take together. */
    private static final Duration SHORT = Duration.ofSeconds(15);

    /** The rules about several locks, segments, delays, readers, latches, semaphores and conditions, which other themes play. */
    private static final List<String> OF_OTHER_THEMES = List.of(
            "a multi-lock is held as a whole or not at all",
            "no lock of a multi-lock is free before its holder has released it",
            "a call for a segment gets any that is free",
            "a lock that is closed after a delay stays busy for all of it",
            "readers share a lock, and have it in turn with writers",
            "a latch opens when it is counted down, and wakes those that await it",
            "no more permits are held than there are, with numbers of their own",
            "permits are granted in the order of the line",
            "each item of a buffer is put once and taken once, in order",
            "no waiter for a condition sleeps beside what it waits for");

    /** A few rounds have no violation, and every rule about what they play has judged something. */
    @Test
    void run_fewRounds() throws InterruptedException {
        long seed = LongStream.iterate(1, next -> next + 1)
                .filter(next -> hasEverything(rounds(next)))
                .findFirst()
                .orElseThrow();
        List<String> output = new ArrayList<>();
        Options options = new Options(
                seed,
                OptionalLong.empty(),
                Optional.of(Theme.GENERAL),
                Optional.empty(),
                ROUNDS,
                Duration.ofMinutes(5),
                false,
                Path.of("target/campaign-test"),
                Optional.empty());
        CampaignRun campaign = new CampaignRun(options, output::add);

        Ending ending = campaign.run();

        assertThat(campaign.tally().violations()).as(String.join("\n", output)).isEmpty();
        assertThat(campaign.tally().undecided()).isEmpty();
        assertThat(ending).isEqualTo(Ending.GOOD);
        assertThat(campaign.tally().rounds()).isEqualTo(ROUNDS);
        assertThat(campaign.tally().rules())
                .hasSize(13 + OF_OTHER_THEMES.size())
                .allSatisfy((rule, figures) -> {
                    assertThat(figures.judged() > 0).as(rule).isEqualTo(!OF_OTHER_THEMES.contains(rule));
                    assertThat(figures.undecided()).as(rule).isZero();
                });
        assertThat(campaign.tally().faults()).isEqualTo(faults(rounds(seed)).count());
        assertThat(campaign.tally().handoffs()).isPositive();
        assertThat(campaign.tally().losses()).isPositive();
        assertThat(campaign.tally().roundsWithRedisson()).isPositive();
        assertThat(output).first().asString().startsWith("seed " + seed);
        assertThat(output).last().asString().startsWith("seed " + seed);
    }

    private static List<RoundPlan> rounds(long seed) {
        LongSupplier seeds = Schedule.seeds(seed, Theme.GENERAL);
        return Stream.generate(() -> Schedule.round(seeds.getAsLong()))
                .limit(ROUNDS)
                .toList();
    }

    /**
     * {@return whether the rounds have a Redisson client, locks of both kinds, faults of all targets and two of them at
     * once, and are short}
     */
    private static boolean hasEverything(List<RoundPlan> rounds) {
        Duration time =
                faults(rounds).map(fault -> fault.after().plus(fault.length())).reduce(Duration.ZERO, Duration::plus);
        Set<FaultKind> kinds = faults(rounds).map(FaultPlan::kind).collect(Collectors.toSet());
        return time.compareTo(SHORT) < 0
                && kinds.size() > MANY_KINDS
                && kinds.containsAll(List.of(
                        FaultKind.CLIENT_KILLED, FaultKind.KEY_DELETED, FaultKind.SERVER_EMPTIED, FaultKind.CUT_RST))
                && faults(rounds).anyMatch(FaultPlan::overlaps)
                && rounds.stream().anyMatch(round -> !round.fenced().isEmpty())
                && rounds.stream().anyMatch(round -> !round.fenced().equals(round.locks()))
                && rounds.stream()
                        .flatMap(round -> round.clients().stream())
                        .anyMatch(client -> client.library() == Library.REDISSON);
    }

    private static Stream<FaultPlan> faults(List<RoundPlan> rounds) {
        return rounds.stream().flatMap(round -> round.faults().stream());
    }
}
