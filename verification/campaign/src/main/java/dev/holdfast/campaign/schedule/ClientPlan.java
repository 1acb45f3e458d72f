package dev.holdfast.campaign.schedule;

import java.util.List;

/**
 * A client of a round, in a process of its own; or several alike, one for each actor of that process.
 *
 * @param index the index of its process, from 0
 * @param library the library whose locks it uses
 * @param actors its actors
 * @param apart whether each actor has a client of its own: they share the process, and nothing of the library
 * @param awaitsReleases whether a release returns when Redis has replied, not as soon as it is sent
 * @param closing how it is closed
 * @param rights the rights of its Redis user
 */
public record ClientPlan(
        int index,
        Library library,
        List<ActorPlan> actors,
        boolean apart,
        boolean awaitsReleases,
        ClosingKind closing,
        Rights rights) {
    /** {@return a client that awaits releases, is closed without obstacles, and uses the default Redis user} */
    public static ClientPlan of(int index, Library library, List<ActorPlan> actors) {
        return new ClientPlan(index, library, actors, false, true, ClosingKind.PLAIN, Rights.ALL);
    }

    /** {@return the number of clients in the process} */
    public int count() {
        return apart ? actors.size() : 1;
    }

    public ClientPlan with(Rights other) {
        return new ClientPlan(index, library, actors, apart, awaitsReleases, closing, other);
    }

    ClientPlan with(ClosingKind other) {
        return new ClientPlan(index, library, actors, apart, awaitsReleases, other, rights);
    }

    /**
     * {@return the same client with an earlier build of Holdfast, if it is one of the present build} It has no
     * multi-locks: the public API does not name the owners of their locks.
     */
    ClientPlan ofEarlierBuild() {
        if (library != Library.HOLDFAST) {
            return this;
        }
        List<ActorPlan> single = actors.stream()
                .map(actor -> new ActorPlan(actor.name(), actor.kind().ofOneLock(), actor.seed()))
                .toList();
        return new ClientPlan(index, Library.HOLDFAST_BEFORE, single, apart, awaitsReleases, closing, rights);
    }

    ClientPlan withUnawaitedReleases() {
        return new ClientPlan(index, library, actors, apart, false, closing, rights);
    }

    ClientPlan withActorsApart() {
        return new ClientPlan(index, library, actors, true, awaitsReleases, closing, rights);
    }

    /**
     * {@return the name of this client's Redis user, which is also its password, if the client does not use the default
     * user}
     */
    public static String user(int index) {
        return "client-" + index;
    }
}
