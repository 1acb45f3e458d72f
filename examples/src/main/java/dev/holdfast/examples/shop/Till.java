package dev.holdfast.examples.shop;

/** The access of sellers to the stock of a flash sale, which may be divided into segments. */
interface Till {
    /**
     * Waits for a segment, sells from it, and goes on to another one if it is sold out.
     *
     * @return whether there may be more to sell
     */
    boolean serve(Sale sale) throws InterruptedException;

    /** The work of one turn. */
    @FunctionalInterface
    interface Sale {
        /** {@return whether the segment had an item left to sell} */
        boolean make(int segment) throws InterruptedException;
    }
}
