package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Command lines, right and wrong. */
@Tag("pure")
final class ParserTest {
    private static CommandLine parse(String... words) {
        return Parser.parse(List.of(words));
    }

    /** Options may stand before and after the name; the command after {@code --} is not searched for options. */
    @Test
    void run_options_beforeAndAfterTheName() {
        CommandLine line = parse("run", "--wait", "5s", "jobs", "--token", "--", "ls", "--token", "--", "-l");

        assertThat(line.command()).isEqualTo(Command.RUN);
        assertThat(line.duration(Option.WAIT)).contains(Duration.ofSeconds(5));
        assertThat(line.has(Option.TOKEN)).isTrue();
        assertThat(line.operands()).containsExactly("jobs", "ls", "--token", "--", "-l");
    }

    /** Without {@code --}, the command begins with the first word after the name that is no option. */
    @Test
    void run_withoutDashes_commandIsVerbatim() {
        assertThat(parse("run", "jobs", "-c", "ls", "-l", "--wait").operands())
                .containsExactly("jobs", "ls", "-l", "--wait");
    }

    /** A name that looks like an option can be given after {@code --}. */
    @Test
    void who_dashes_endTheOptions() {
        assertThat(parse("who", "--", "--strange").operands()).containsExactly("--strange");
    }

    /** A value may follow after an equals sign, and may then be empty or look like an option. */
    @Test
    void option_equals_hasValue() {
        assertThat(parse("run", "--label=a=b", "jobs", "--", "ls").text(Option.LABEL))
                .contains("a=b");
        assertThat(parse("run", "-E=7", "jobs", "--", "ls").code(Option.BUSY_CODE, ExitCode.BUSY))
                .isEqualTo(7);
    }

    /** Help is given for whatever else is wrong, and for a command that runs only if it is before that. */
    @Test
    void help_anywhere() {
        assertThat(parse("run", "--help").command()).isEqualTo(Command.HELP);
        assertThat(parse("run", "--help").operands()).containsExactly("run");
        assertThat(parse("--help").operands()).isEmpty();
        assertThat(parse("help", "who").operands()).containsExactly("who");
        assertThat(parse("run", "jobs", "--", "ls", "--help").command()).isEqualTo(Command.RUN);
    }

    /** What is wrong is named, with what would be right. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | a command must be named; see holdfast --help",
                "jump | there is no command 'jump'; see holdfast --help",
                "run | run needs NAME: holdfast run",
                "run jobs | run needs command..: holdfast run",
                "run jobs -- | run needs command..: holdfast run",
                "run --force jobs -- ls | run has no option --force: holdfast run",
                "--force run jobs -- ls | run has no option --force: holdfast run",
                "who --jump | there is no option --jump; see holdfast who --help",
                "who | who needs NAME: holdfast who NAME",
                "who a b | who takes no operand 'b': holdfast who NAME",
                "run --wait | --wait needs a value: --wait duration",
                "run --token=yes a -- ls | --token takes no value, was --token=yes",
            })
    void parse_wrong_isRefused(String words, String message) {
        List<String> line = words.isEmpty() ? List.of() : List.of(words.split(" ", -1));
        assertThatThrownBy(() -> Parser.parse(line))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(message);
    }

    /** Values are checked when the settings are made of them, before anything is connected. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--wait | soon | --wait must be a number and a unit, as in 500ms, 30s, 1.5m, 2h or 1d, was 'soon'",
                "--wait | -1s | --wait must be a number and a unit",
                "--lease | 999ms | --lease must be at least 1s, was 999ms",
                "--watchdog | 0 | --watchdog must be at least 1s, was 0",
                "-E | 256 | --busy-code must be a number from 0 to 255, was '256'",
                "--lost-code | x | --lost-code must be a number from 0 to 255, was 'x'",
                "--permits | 0 | --permits must be a number from 1 to 1000000, was '0'",
                "--permits | 1000001 | --permits must be a number from 1 to 1000000, was '1000001'",
                "--permits | few | --permits must be a number from 1 to 1000000, was 'few'",
                "--take | 2 | --take needs --permits",
            })
    void settings_wrongValue_isRefused(String option, String value, String message) {
        assertThatThrownBy(() -> RunSettings.of(parse("run", option, value, "jobs", "--", "ls")))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(message);
    }

    /** A lease is renewed, or it is not. */
    @Test
    void settings_leaseAndWatchdog_areRefused() {
        assertThatThrownBy(
                        () -> RunSettings.of(parse("run", "--lease", "10m", "--watchdog", "30s", "jobs", "--", "ls")))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("--lease and --watchdog exclude each other");
    }

    /** A command has one lock of the name, or permits. */
    @ParameterizedTest
    @CsvSource({
        "--token,--shared",
        "--token,--write",
        "--shared,--write",
        "--token,--permits=2",
        "--shared,--permits=2",
        "--write,--permits=2"
    })
    void settings_twoLocks_areRefused(String one, String other) {
        assertThatThrownBy(() -> RunSettings.of(parse("run", other, one, "jobs", "--", "ls")))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith(one + " and " + other.replaceFirst("=.*", "") + " exclude each other");
    }

    /** A command has one permit, or as many as it is to take, which cannot be more than there are. */
    @Test
    void settings_permits() {
        assertThat(RunSettings.of(parse("run", "--permits", "4", "api", "--", "ls"))
                        .protection())
                .isEqualTo(new PermitsChoice(4, 1));
        assertThat(RunSettings.of(parse("run", "--permits=4", "--take", "4", "api", "--", "ls"))
                        .protection())
                .isEqualTo(new PermitsChoice(4, 4));
        assertThatThrownBy(() -> RunSettings.of(parse("run", "--permits=4", "--take=5", "api", "--", "ls")))
                .isInstanceOf(UsageException.class)
                .hasMessage("--take must be a number from 1 to 4, was '5'");
    }

    /** {@code -c} hands the line to a shell, and {@code --if-busy-ok} makes a busy lock a success. */
    @Test
    void settings_flags() {
        RunSettings settings = RunSettings.of(parse("run", "-c", "--if-busy-ok", "jobs", "--", "ls | wc"));

        assertThat(settings.command()).containsExactly("/bin/sh", "-c", "ls | wc");
        assertThat(settings.busyCode()).isZero();
        assertThat(settings.lostCode()).isEqualTo(70);
        assertThat(settings.longestWait()).isEmpty();
    }

    /** Units, fractions, and a number alone, which is in seconds. */
    @ParameterizedTest
    @CsvSource({"500ms,500", "2s,2000", "2,2000", "0,0", "1.5,1500", "1.5m,90000", "2h,7200000", "1d,86400000"})
    void duration_units(String text, long millis) {
        assertThat(Durations.parse("--wait", text)).isEqualTo(Duration.ofMillis(millis));
    }

    /** The rest of a lease is rounded down: it must not look longer than it is. */
    @Test
    void seconds_areRoundedDown() {
        assertThat(Durations.seconds(Duration.ofMillis(29_499))).isEqualTo("29.4 s");
        assertThat(Durations.seconds(Duration.ofMillis(99))).isEqualTo("0.0 s");
    }
}
