package dev.holdfast.campaign.soak;

/** What the soak requires of the locks did not happen, so that it cannot go on. */
final class BrokenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BrokenException(String message) {
        super(message);
    }
}
