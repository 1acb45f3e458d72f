package dev.holdfast.examples.service.demo;

/** How a request for a piece ended. */
enum Reply {
    SOLD,
    /** The fence has refused it. */
    REFUSED,
    SOLD_OUT,
    /** The lock stayed busy, was lost, or could not be acquired or released: only in the last case a piece may be sold. */
    UNAVAILABLE,
    /** The instance ended before it replied: the piece may have been sold. */
    UNANSWERED,
    UNEXPECTED;

    static Reply of(int status) {
        return switch (status) {
            case 201 -> SOLD;
            case 409 -> REFUSED;
            case 410 -> SOLD_OUT;
            case 503 -> UNAVAILABLE;
            default -> UNEXPECTED;
        };
    }
}
