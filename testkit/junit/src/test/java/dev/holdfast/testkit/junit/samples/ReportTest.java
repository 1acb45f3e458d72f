package dev.holdfast.testkit.junit.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.testkit.junit.HoldfastExtension;
import dev.holdfast.testkit.junit.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(HoldfastExtension.class)
class ReportTest {
    @Test
    void report_isLeftToTheInstanceThatWritesIt(TestRedis redis, Holdfast holdfast) {
        Report report = new Report(holdfast.getLock("report"));

        Lease other = redis.busy("report");
        assertThat(report.write()).isFalse();

        other.close();
        assertThat(report.write()).isTrue();
    }
}
