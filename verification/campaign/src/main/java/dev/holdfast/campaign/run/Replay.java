package dev.holdfast.campaign.run;

import dev.holdfast.testkit.RedisBinary;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The commands that repeat a run or a round.
 *
 * @param binary the server chosen by the environment, null if none
 */
record Replay(@Nullable String binary) {
    private static final BigDecimal SECONDS_OF_A_MINUTE = BigDecimal.valueOf(60);
    private static final int DIGITS = 3;

    static Replay here() {
        return new Replay(System.getenv(RedisBinary.ENVIRONMENT));
    }

    /** {@return the command that repeats a run} */
    String of(Options options) {
        String what = options.round().isPresent()
                ? "--round-seed " + options.round().getAsLong()
                : "--seed " + options.seed();
        String rounds = options.rounds() == Integer.MAX_VALUE ? "" : "--rounds " + options.rounds() + " ";
        String only = options.only()
                .map(theme -> "--only " + Options.named(theme) + " ")
                .orElse("");
        return command("--minutes " + minutes(options.time()) + " " + rounds + only + before(options) + what);
    }

    /** {@return the command that repeats one round of a run} */
    String ofRound(long seed, Options options) {
        return command(before(options) + "--round-seed " + seed + " --rounds 1");
    }

    private static String before(Options options) {
        return options.before().map(jars -> "--before " + jars + " ").orElse("");
    }

    private static String minutes(Duration time) {
        return BigDecimal.valueOf(time.toSeconds())
                .divide(SECONDS_OF_A_MINUTE, DIGITS, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }

    private String command(String arguments) {
        return (binary == null ? "" : RedisBinary.ENVIRONMENT + "=" + binary + " ")
                + "mvn -q -pl verification/campaign -am compile exec:exec -Dcampaign.args=\"" + arguments + "\"";
    }
}
