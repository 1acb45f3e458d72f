package dev.holdfast.pubsub;

/** What to do next for one channel. */
enum ChannelAction {
    SUBSCRIBE,
    UNSUBSCRIBE,
    /** Forget the channel: nobody wants it, and neither the server nor the driver knows it. */
    RETIRE,
    NOTHING;

    /**
     * Decides; talks to nobody. Only one command per channel is ever under way: a change of mind waits for the answer, so
     * that answers need not be told apart.
     *
     * @param wanted somebody holds a subscription, or did a moment ago
     * @param listed the driver has the name on its list, to be taken off by an UNSUBSCRIBE even where it is none
     * @param connected a command can be sent
     */
    static ChannelAction next(ChannelState state, boolean wanted, boolean listed, boolean connected) {
        return switch (state) {
            case ABSENT -> wanted ? onlyIf(connected, SUBSCRIBE) : takeOff(listed, connected);
            case SUBSCRIBED -> wanted ? NOTHING : onlyIf(connected, UNSUBSCRIBE);
            case REFUSED -> wanted ? NOTHING : takeOff(listed, connected);
            case SUBSCRIBING, UNSUBSCRIBING, RETIRED -> NOTHING;
        };
    }

    private static ChannelAction takeOff(boolean listed, boolean connected) {
        return listed ? onlyIf(connected, UNSUBSCRIBE) : RETIRE;
    }

    private static ChannelAction onlyIf(boolean connected, ChannelAction step) {
        return connected ? step : NOTHING;
    }
}
