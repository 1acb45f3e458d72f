package dev.holdfast.campaign.twins;

/** A resource that refuses a write whose token is smaller than the largest it has seen. */
final class TokenGuard {
    private long newest;
    private long taken;

    /** {@return the sequence number of the write among the accepted ones, 0 if it is refused} */
    synchronized long write(long token) {
        if (token < newest) {
            return 0;
        }
        newest = token;
        return ++taken;
    }
}
