package dev.holdfast.campaign.twins;

/** A resource that takes no write with a token older than the newest it has seen. */
final class Guard {
    private long newest;
    private long taken;

    /** {@return the place of the write among those taken, 0 if it is refused} */
    synchronized long write(long token) {
        if (token < newest) {
            return 0;
        }
        newest = token;
        return ++taken;
    }
}
