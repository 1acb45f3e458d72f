package dev.holdfast.peers;

import dev.holdfast.Holdfast;

/** The fenced lock passes Curator's tests. */
final class CuratorFencedLockTest extends CuratorSuite {
    @Override
    CuratorMutex makeLock(Holdfast client) {
        return new CuratorMutex(client, client.getFencedLock("lock"), 1);
    }
}
