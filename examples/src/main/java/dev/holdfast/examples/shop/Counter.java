package dev.holdfast.examples.shop;

/** The access of sellers to the stock: one turn for each sale, exclusive or, without a lock, concurrent. */
interface Counter {
    /**
     * Waits for the turn, makes the sale, and ends the turn.
     *
     * @return the result of the sale
     */
    boolean serve(Sale sale) throws InterruptedException;

    /** The work of one turn. */
    interface Sale {
        /**
         * Sells one item, if there is one.
         *
         * @param books records the sale
         * @return whether there was an item left to sell
         */
        boolean make(Books books) throws InterruptedException;
    }

    /**
     * The bookkeeping within a turn. It stands for code that other callers use too, and that therefore acquires the
     * lock itself: a re-entry, where the owner can re-enter.
     */
    interface Books {
        void enter(Runnable entry);

        /** {@return the stock as this turn may use it} */
        default Stock stock(Shop shop) {
            return shop.unguarded();
        }
    }
}
