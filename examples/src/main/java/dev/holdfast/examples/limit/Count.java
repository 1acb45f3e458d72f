package dev.holdfast.examples.limit;

import java.util.List;

/**
 * What the service has counted in a part of the run.
 *
 * @param calls of each worker
 * @param mostAtOnce the largest number of calls at one moment
 * @param clashes calls whose number another call had at that moment
 */
record Count(List<Integer> calls, int mostAtOnce, int clashes) {}
