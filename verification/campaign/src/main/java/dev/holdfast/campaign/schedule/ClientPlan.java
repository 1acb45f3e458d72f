package dev.holdfast.campaign.schedule;

import java.util.List;

/**
 * A client of a round, in a process of its own.
 *
 * @param index of its process, from 0
 * @param library whose locks it uses
 * @param actors who takes turns in it
 * @param awaitsReleases whether a release returns when Redis has answered, and not as soon as it is sent
 * @param closing how it is closed
 * @param rights of its Redis user
 */
public record ClientPlan(
        int index,
        Library library,
        List<ActorPlan> actors,
        boolean awaitsReleases,
        ClosingKind closing,
        Rights rights) {
    /** {@return a client of which nothing is to be said but whose locks it uses, and who does} */
    public static ClientPlan of(int index, Library library, List<ActorPlan> actors) {
        return new ClientPlan(index, library, actors, true, ClosingKind.PLAIN, Rights.ALL);
    }

    ClientPlan with(Rights other) {
        return new ClientPlan(index, library, actors, awaitsReleases, closing, other);
    }

    ClientPlan with(ClosingKind other) {
        return new ClientPlan(index, library, actors, awaitsReleases, other, rights);
    }

    ClientPlan withUnawaitedReleases() {
        return new ClientPlan(index, library, actors, false, closing, rights);
    }

    /** {@return the Redis user of the client at this place, and his password, if he is not the default one} */
    public static String user(int index) {
        return "client-" + index;
    }
}
