package dev.holdfast.campaign.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The faults of a soak. */
class SoakFaultsTest {
    private static final Duration WATCHDOG = Duration.ofSeconds(3);
    private static final SoakFaults SINGLE = new SoakFaults(1, false, 4, 8, 12);
    private static final SoakFaults CLUSTER = new SoakFaults(1, true, 4, 8, 12);
    /** All kinds, and three more clients that are closed. */
    private static final int SINGLE_ORDER = 30;

    private static final int CLUSTER_ORDER = 13;

    private static List<FaultPlan> first(SoakFaults faults, int minutes) {
        return IntStream.range(0, minutes)
                .mapToObj(minute -> faults.of(minute, WATCHDOG).get(0))
                .toList();
    }

    private static Set<FaultKind> kinds(List<FaultPlan> faults) {
        return faults.stream().map(FaultPlan::kind).collect(Collectors.toSet());
    }

    /** Each kind comes before any comes again, but for closed clients, of which each process has one. */
    @Test
    void of_eachKind() {
        List<FaultPlan> single = first(SINGLE, SINGLE_ORDER);
        Set<FaultKind> possible = EnumSet.allOf(FaultKind.class);
        possible.removeIf(kind -> kind.target() == FaultKind.Target.MASTER);
        assertThat(kinds(single)).isEqualTo(possible);
        assertThat(single).hasSize(possible.size() + 3);
        assertThat(single)
                .filteredOn(fault -> fault.kind() == FaultKind.CLIENT_CLOSED)
                .extracting(fault -> fault.client() / 2)
                .containsExactly(0, 1, 2, 3);

        assertThat(kinds(first(CLUSTER, CLUSTER_ORDER)))
                .containsExactlyInAnyOrder(
                        FaultKind.MASTER_REPLACED,
                        FaultKind.MASTER_TAKEN_OVER,
                        FaultKind.MASTER_KILLED,
                        FaultKind.MASTER_PAUSED,
                        FaultKind.REPLICAS_CUT,
                        FaultKind.SLOT_MOVED,
                        FaultKind.CLIENT_PAUSED,
                        FaultKind.CLIENT_PAUSED_LONG,
                        FaultKind.CLIENT_KILLED,
                        FaultKind.CLIENT_CLOSED);
    }

    /** The second order differs from the first, and each is the same for each call. */
    @Test
    void of_orders() {
        List<FaultPlan> two = first(SINGLE, 2 * SINGLE_ORDER);

        assertThat(two).isEqualTo(first(SINGLE, 2 * SINGLE_ORDER));
        List<FaultKind> all = two.stream().map(FaultPlan::kind).toList();
        assertThat(all.subList(0, SINGLE_ORDER)).isNotEqualTo(all.subList(SINGLE_ORDER, 2 * SINGLE_ORDER));
        assertThat(Collections.frequency(all, FaultKind.CUT_RST)).isEqualTo(2);
    }

    /** Only the last process is killed. */
    @Test
    void of_killed() {
        assertThat(first(SINGLE, 300))
                .filteredOn(fault -> fault.kind() == FaultKind.CLIENT_KILLED)
                .hasSizeGreaterThan(5)
                .allMatch(fault -> fault.client() / 2 == 3);
    }
}
