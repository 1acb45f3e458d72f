package dev.holdfast.campaign.soak;

/** What must not grow, over half a series, by more than a share of its level that is also more than a number. */
enum Measure {
    HEAP("heap after a collection (KiB)", 0.05, 1024),
    THREADS("threads", 0.05, 2),
    DESCRIPTORS("descriptors", 0.05, 2),
    CONNECTIONS("connections", 0.05, 2),
    SUBSCRIPTIONS("subscriptions", 0.05, 2),
    KEYS("keys", 0.05, 10);

    private final String text;
    private final double share;
    private final double floor;

    Measure(String text, double share, double floor) {
        this.text = text;
        this.share = share;
        this.floor = floor;
    }

    /** {@return the description for the report} */
    String text() {
        return text;
    }

    boolean isExceededBy(Trend trend) {
        return trend.growth() > floor && trend.growth() > share * trend.level();
    }
}
