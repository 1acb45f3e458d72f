package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract detects faulty read-write locks: a check that cannot fail is no check. */
@Tag("slow")
@Tag("harness")
final class ReadWriteTwinsTest {
    static List<Arguments> twins() {
        return List.of(
                arguments(
                        ReadWriteTwins.NoExclusion.class,
                        List.of("writer_excludes", "writer_goesOnAsReader", "writer_hasReadInBetween")),
                arguments(ReadWriteTwins.NoSharing.class, List.of("readers_share", "readers_comeInTogether")),
                arguments(ReadWriteTwins.StarvesWriters.class, List.of("reader_doesNotPassAWriter")),
                arguments(ReadWriteTwins.EndsDowngrades.class, List.of("writer_goesOnAsReader")),
                arguments(ReadWriteTwins.Upgrades.class, List.of("reader_isNoWriter")));
    }

    /** Each broken twin fails every case about its fault. */
    @ParameterizedTest
    @MethodSource("twins")
    void contract_fails(Class<? extends ReadWriteLockContract> twin, List<String> cases) {
        assertThat(ContractRun.failed(twin, cases)).containsExactlyInAnyOrderElementsOf(cases);
    }
}
