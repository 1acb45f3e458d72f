/**
 * A price list that eight processes read while one replaces it, under a read-write lock. {@link
 * dev.holdfast.examples.prices.ReadWriteDemo} kills a reader while it reads, and shows how long the others have waited, and whether
 * each of them has seen whole lists alone.
 *
 * <p>The list is many values, which are written and read one by one ({@code PriceList}); each process repeats its work until its
 * parent ends it ({@code PricesProcess}), and counts ({@code Tally}). The parent controls them ({@code PricesRun}, {@code
 * Participant}); the evaluation is pure ({@code PricesOutcome}).
 */
@NullMarked
package dev.holdfast.examples.prices;

import org.jspecify.annotations.NullMarked;
