package dev.holdfast.campaign.worker;

/**
 * The items of a bounded buffer: from the first one that has not been taken to the last one that has been put.
 *
 * @param put how many items have been put into it so far
 * @param taken how many have been taken
 */
record Buffer(long put, long taken) {
    /** {@return the same with one item more} */
    Buffer filled() {
        return new Buffer(put + 1, taken);
    }

    /** {@return the same without its first item} */
    Buffer drained() {
        return new Buffer(put, taken + 1);
    }

    long size() {
        return put - taken;
    }
}
