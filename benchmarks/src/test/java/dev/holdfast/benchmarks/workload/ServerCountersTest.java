package dev.holdfast.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The parsing of the server's counters. */
class ServerCountersTest {
    /** Adds scripts by SHA and by source, bytes in both directions, and CPU time in both modes. */
    @Test
    void parse_info_addsWhatBelongsTogether() {
        String info = """
                # Stats
                total_net_input_bytes:1000
                total_net_output_bytes:200
                total_commands_processed:100
                # CPU
                used_cpu_sys:1.500000
                used_cpu_user:0.250000
                used_cpu_sys_children:9.000000
                # Commandstats
                cmdstat_info:calls=2,usec=345,usec_per_call=28.75
                cmdstat_evalsha:calls=12,usec=345,usec_per_call=28.75
                cmdstat_eval:calls=3,usec=345,usec_per_call=28.75
                cmdstat_wait:calls=7,usec=345,usec_per_call=28.75
                """;

        assertThat(ServerCounters.parse(info)).isEqualTo(new ServerCounters(15, 1_200, 1_750_000, 7, 98, 690));
    }

    /** A command that was never called is absent from the reply, and counts as zero. */
    @Test
    void parse_noScripts_isNone() {
        assertThat(ServerCounters.parse("redis_version:7.0.15\r\n")).isEqualTo(new ServerCounters(0, 0, 0, 0, 0, 0));
    }
}
