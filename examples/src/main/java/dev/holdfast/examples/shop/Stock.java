package dev.holdfast.examples.shop;

import java.util.OptionalInt;

/** The stock, as one turn of a seller reads and writes it. */
interface Stock {
    /**
     * {@return the number of items left, which is also the number of the next item to sell} Empty if a later owner of
     * the lock has been here: this turn must not sell.
     */
    OptionalInt left();

    /** {@return whether it was written; false if a later owner of the lock has been here} */
    boolean write(int left);
}
