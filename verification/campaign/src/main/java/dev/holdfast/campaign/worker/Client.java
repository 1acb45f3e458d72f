package dev.holdfast.campaign.worker;

import dev.holdfast.campaign.schedule.ActorKind;
import java.util.List;

/** A library's client, for one round. */
interface Client {
    /** {@return how an actor of this kind asks for locks} Called on the actor's own thread. */
    Door door(ActorKind kind);

    /** {@return what is still in use in the client although nobody holds, wants or does anything any more} */
    List<String> residue();

    /** {@return what in closing it for good was not as promised} */
    List<String> close() throws InterruptedException;
}
