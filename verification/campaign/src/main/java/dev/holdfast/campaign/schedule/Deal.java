package dev.holdfast.campaign.schedule;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Draws the seeds of the rounds of a run. Every other round is a general one; between them the themes alternate, so
 * that each is played before any of them is repeated. Not thread-safe.
 */
final class Deal implements LongSupplier {
    private final Dice dice;
    private final List<Theme> special;
    private final Optional<Theme> only;
    private final Queue<Theme> themes = new ArrayDeque<>();
    private boolean isSpecial;

    /**
     * @param versions whether there is an earlier build
     * @param only the theme of all rounds; empty for all themes
     */
    Deal(long seed, boolean versions, Optional<Theme> only) {
        this.dice = new Dice(seed);
        this.special = Stream.of(Theme.values())
                .filter(theme -> theme != Theme.GENERAL && (versions || theme != Theme.VERSIONS))
                .toList();
        this.only = only;
    }

    @Override
    public long getAsLong() {
        return theme().seed(dice.seed());
    }

    private Theme theme() {
        if (only.isPresent()) {
            return only.get();
        }
        isSpecial = !isSpecial;
        if (isSpecial) {
            return Theme.GENERAL;
        }
        if (themes.isEmpty()) {
            themes.addAll(dice.shuffled(special));
        }
        return themes.remove();
    }
}
