package dev.holdfast.campaign.schedule;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * The seeds of the rounds of a run: every other round is a general one, and between them the themes take turns, so that each is played
 * before one comes again. Not safe for use by several threads.
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
