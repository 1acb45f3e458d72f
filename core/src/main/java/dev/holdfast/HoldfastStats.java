package dev.holdfast;

/**
 * What a client is doing and has done, read without stopping it: the numbers may be of slightly different moments.
 *
 * @param holds locks held now, each counted once however often it was entered
 * @param waiters calls waiting now for a lock that is busy
 * @param acquired holds granted since the client was built
 * @param lost leases lost since the client was built
 * @param unknownOutcomes commands whose connection ended before the answer
 * @param renewals lease renewals that Redis confirmed
 */
public record HoldfastStats(long holds, long waiters, long acquired, long lost, long unknownOutcomes, long renewals) {}
