package dev.holdfast.campaign.twins;

import java.time.Duration;

/** The variants of a twin whose lock gets another home: one without a defect, one for each. */
enum HomeMake {
    /** Without a defect. */
    RIGHT,
    /** At a new home, it is not verified whether the holds are there. */
    NO_VERIFICATION,
    /** Releases that the former home had acknowledged are not repeated at the new one. */
    NO_REPEATED_RELEASE,
    /** Handoffs that the former home had acknowledged are not repeated at the new one. */
    NO_REPEATED_HANDOFF,
    /** A grant of the former home counts, although it comes when there is a new one. */
    GRANT_OF_FORMER_HOME,
    /** {@code WAIT} is sent on a connection that has written nothing, so it covers nothing. */
    WAIT_ELSEWHERE,
    /** The same after a {@code PING}. It is a defect from Redis 7.2 on. */
    WAIT_BEHIND_PING,
    /** The replicas are awaited, but not counted. */
    COUNT_IGNORED;

    private final String acquire = Make.read("acquire");
    private final String handOff = Make.read("hand-off");
    private final String release = Make.read("release");

    String acquire() {
        return acquire;
    }

    String handOff() {
        return handOff;
    }

    String release() {
        return release;
    }

    boolean verifies() {
        return this != NO_VERIFICATION;
    }

    boolean repeatsReleases() {
        return this != NO_REPEATED_RELEASE;
    }

    boolean repeatsHandoffs() {
        return this != NO_REPEATED_HANDOFF;
    }

    /** {@return how many replicas have confirmed the grant} */
    long awaitReplica(TwinHome home, Duration atMost) {
        return switch (this) {
            case WAIT_ELSEWHERE -> home.awaitReplicaElsewhere(atMost);
            case WAIT_BEHIND_PING -> home.awaitReplicaBehindPing(atMost);
            default -> home.awaitReplica(atMost);
        };
    }

    /** {@return whether a grant counts that so many of the replicas have confirmed} */
    boolean suffices(long confirmed) {
        return confirmed > 0 || this == COUNT_IGNORED;
    }

    /** {@return whether a grant counts} */
    boolean believes(boolean ofPresentHome) {
        return ofPresentHome || this == GRANT_OF_FORMER_HOME;
    }
}
