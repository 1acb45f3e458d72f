package dev.holdfast;

/** One owner of a lock, and perhaps another of the other lock of the client. */
final class OwnerRig {
    final ModelClient client = new ModelClient(Runnable::run);
    final ModelClient.Owner owner = client.new Owner();
    final ModelClient.Owner other = client.new Owner(client.otherKey());

    private OwnerRig() {}

    /** The lock is free, and a try is on its way. */
    static OwnerRig trying() {
        OwnerRig rig = new OwnerRig();
        rig.owner.acquire();
        return rig;
    }

    /** Its lease is about to be renewed. */
    static OwnerRig holding() {
        OwnerRig rig = trying();
        rig.client.almostRenewed();
        return rig;
    }

    /** Both leases are about to be renewed, and the other lock has been deleted, which is not known here. */
    static OwnerRig robbed() {
        OwnerRig rig = trying();
        rig.other.acquire();
        rig.client.almostRenewed();
        rig.client.otherRedis.delete();
        return rig;
    }

    void renew() {
        client.clock.advance(ModelClient.MOMENT);
    }
}
