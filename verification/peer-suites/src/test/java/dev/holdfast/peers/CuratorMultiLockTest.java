package dev.holdfast.peers;

import dev.holdfast.Holdfast;

/** The multi-lock passes Curator's tests, which Curator runs against its own multi-lock too. */
final class CuratorMultiLockTest extends CuratorSuite {
    @Override
    CuratorMutex makeLock(Holdfast client) {
        return new CuratorMutex(client, Holdfast.multiLock(client.getLock("one"), client.getLock("other")), 2);
    }
}
