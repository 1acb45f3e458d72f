package dev.holdfast.pubsub;

/** The next action for one channel. */
enum ChannelAction {
    SUBSCRIBE,
    UNSUBSCRIBE,
    /** Forget the channel: it has no subscription, and neither the server nor the driver knows it. */
    RETIRE,
    NOTHING;

    /**
     * Decides, without side effects. Only one command per channel is in flight at any time: a later command waits for
     * the reply to the earlier one, so that replies need not be distinguished.
     *
     * @param wanted there is a subscription, or the channel lingers
     * @param listed the driver has the name in its list of subscriptions, from which only an UNSUBSCRIBE removes it,
     *     even if the server has no subscription
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
