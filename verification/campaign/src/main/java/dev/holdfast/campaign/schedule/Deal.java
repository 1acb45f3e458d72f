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
    private static final List<Theme> SPECIAL =
            Stream.of(Theme.values()).filter(theme -> theme != Theme.GENERAL).toList();

    private final Dice dice;
    private final Optional<Theme> only;
    private final Queue<Theme> themes = new ArrayDeque<>();
    private boolean special;

    /** @param only the theme of all rounds; empty for all themes */
    Deal(long seed, Optional<Theme> only) {
        this.dice = new Dice(seed);
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
        special = !special;
        if (special) {
            return Theme.GENERAL;
        }
        if (themes.isEmpty()) {
            themes.addAll(dice.shuffled(SPECIAL));
        }
        return themes.remove();
    }
}
