package dev.holdfast.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.benchmarks.measure.Figures;
import dev.holdfast.benchmarks.measure.Metric;
import dev.holdfast.benchmarks.report.BuildComparison.Build;
import dev.holdfast.benchmarks.workload.Workload;
import dev.holdfast.benchmarks.workload.Workloads;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The comparison of the figures of two builds. */
class BuildComparisonTest {
    private static final Workload WORKLOAD = Workloads.all().get(0);

    /** A difference counts if it is more than 3 %, and more than the scatter of the earlier build. */
    @ParameterizedTest
    @CsvSource({
        "1.00, 0.00, no worse",
        "0.98, 0.00, no worse",
        "0.96, 0.00, WORSE",
        "0.96, 0.05, no worse",
        "0.94, 0.05, WORSE",
        "1.04, 0.01, better"
    })
    void verdict_isOfTheDifferenceBeyondTheNoise(double ratio, double scatter, String verdict) {
        assertThat(BuildComparison.verdict(ratio, scatter)).isEqualTo(verdict);
    }

    /** Throughput is better when it is higher, processor time when it is lower. */
    @Test
    void plain_ratiosPointTheSameWay() {
        BuildComparison comparison = new BuildComparison(Map.of());
        for (int round = 0; round < 4; round++) {
            comparison.measured(WORKLOAD, Build.BEFORE, figures(1_000, 20));
            comparison.measured(WORKLOAD, Build.AFTER, figures(800, 10));
        }

        assertThat(comparison.plain().lines())
                .anySatisfy(line -> assertThat(line).contains("acq/s", "0.800", "WORSE"))
                .anySatisfy(line -> assertThat(line).contains("client us/acq", "2.000", "better"));
        assertThat(comparison.violations()).isZero();
    }

    private static Figures figures(double rate, double cpu) {
        return new Figures().put(Metric.ACQUISITIONS, rate).put(Metric.CLIENT_CPU, cpu);
    }
}
