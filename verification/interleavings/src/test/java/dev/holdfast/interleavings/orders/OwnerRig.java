package dev.holdfast.interleavings.orders;

/** One owner of a lock, and another one of the other lock of the client. */
final class OwnerRig {
    final ModelClient client = new ModelClient(Runnable::run);
    final ModelClient.Owner owner = client.new Owner();
    final ModelClient.Owner other = client.new Owner(client.otherKey());

    private OwnerRig() {}

    /** The lock is free, and an attempt is in flight. */
    static OwnerRig trying() {
        OwnerRig rig = new OwnerRig();
        rig.owner.acquire();
        return rig;
    }

    /** The owner has the lock, and its lease is about to be renewed. */
    static OwnerRig holding() {
        OwnerRig rig = trying();
        rig.client.almostRenewed();
        return rig;
    }

    /**
     * Both owners have their locks and both leases are about to be renewed, but the other lock has been deleted without
     * the client's knowledge.
     */
    static OwnerRig robbed() {
        OwnerRig rig = trying();
        rig.other.acquire();
        rig.client.almostRenewed();
        rig.client.otherRedis.delete();
        return rig;
    }

    void renew() {
        client.clock.advance(ModelClient.PAUSE);
    }
}
