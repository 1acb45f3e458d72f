package dev.holdfast.campaign.soak;

/** What must not grow, over half a series, by more than a number. */
enum Measure {
    HEAP("heap after a collection (KiB)", 1024),
    THREADS("threads", 0.5),
    DESCRIPTORS("descriptors", 0.5),
    CONNECTIONS("connections", 0.5),
    SUBSCRIPTIONS("subscriptions", 0.5),
    KEYS("keys", 10);

    private final String text;
    private final double floor;

    Measure(String text, double floor) {
        this.text = text;
        this.floor = floor;
    }

    /** {@return the description for the report} */
    String text() {
        return text;
    }

    boolean isExceededBy(Trend trend) {
        return trend.growth() > floor;
    }
}
