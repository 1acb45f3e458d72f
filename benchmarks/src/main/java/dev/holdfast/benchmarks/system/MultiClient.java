package dev.holdfast.benchmarks.system;

import java.util.List;

/** Clients of one library, one for each of several independent servers, for locks that are acquired together. */
public interface MultiClient {
    /** {@return the clients, in the order of the servers} The caller that connected them closes them. */
    List<LockClient> clients();

    /** {@return the lock that is held if and only if all members are, for all threads} */
    BlockingLock all(List<Member> members);

    /** {@return how many members have been acquired and released again since another member was busy} */
    long undone();

    /** {@return how many attempts have released all they had, and started from none} */
    long restarts();
}
