package dev.holdfast.peers;

import dev.holdfast.Holdfast;

/** The plain lock passes Curator's tests. */
final class CuratorLockTest extends CuratorSuite {
    @Override
    CuratorMutex makeLock(Holdfast client) {
        return new CuratorMutex(client, client.getLock("lock"), 1);
    }
}
