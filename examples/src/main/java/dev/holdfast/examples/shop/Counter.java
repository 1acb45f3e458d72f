package dev.holdfast.examples.shop;

/** How a seller gets to the stock: one turn for each sale, alone or, where there is no lock, in a crowd. */
interface Counter {
    /**
     * Waits for the turn, makes the sale, and gives the turn back.
     *
     * @return what the sale answered
     */
    boolean serve(Sale sale) throws InterruptedException;

    /** What is done in a turn. */
    interface Sale {
        /**
         * Sells one item.
         *
         * @param books enters the sale
         * @return whether there was anything left to sell
         */
        boolean make(Books books) throws InterruptedException;
    }

    /** Bookkeeping within a turn. Code that others call too, and that locks for itself: where it can, it enters again. */
    interface Books {
        void enter(Runnable entry);
    }
}
