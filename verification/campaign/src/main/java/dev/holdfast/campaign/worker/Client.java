package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.schedule.ActorKind;
import java.util.List;

/** A client of one of the libraries, for one round. */
interface Client {
    /** {@return the API by which an actor of this kind uses locks} Called on the actor's own thread. */
    Door door(ActorKind kind);

    /** What its actors wait for will not come any more, since all of them have their last turn. */
    default void stop() {}

    /** {@return what is still in use in the client although no lock is held and no call is in progress} */
    List<String> residue();

    /** {@return the deviations from the contract that were found while the client was closed} */
    List<String> close() throws InterruptedException;
}
