package dev.holdfast.testkit;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** Latches with one fault each, run through the contract by {@link LatchTwinsTest}, which must detect it. */
final class LatchTwins {
    private LatchTwins() {}

    /** Has a shorter time limit than the contract itself, so that a case that fails ends soon. */
    abstract static class Broken extends LatchContract {
        @Override
        protected Duration timeout() {
            return Duration.ofMillis(500);
        }
    }

    /** Each client has latches of its own. */
    static final class CountsForEachClient extends Broken {
        @Override
        protected LatchFixture newFixture() {
            return new LatchTwinFixture() {
                @Override
                public LatchClient newClient() {
                    return new LatchTwinFixture().newClient();
                }
            };
        }
    }

    /** A count is set in place of another one. */
    static final class SetsOverACount extends Broken {
        @Override
        protected LatchFixture newFixture() {
            return new LatchTwinFixture() {
                @Override
                synchronized boolean set(String name, long count) {
                    counts.put(name, new Count(count));
                    return true;
                }
            };
        }
    }

    /** A countdown counts twice, as when it is sent again because its reply was lost. */
    static final class CountsTwice extends Broken {
        @Override
        protected LatchFixture newFixture() {
            return new LatchTwinFixture() {
                @Override
                synchronized void countDown(String name, long by) {
                    super.countDown(name, 2 * by);
                }
            };
        }
    }

    /** A countdown by several is one by one. */
    static final class CountsOne extends Broken {
        @Override
        protected LatchFixture newFixture() {
            return new LatchTwinFixture() {
                @Override
                synchronized void countDown(String name, long by) {
                    super.countDown(name, 1);
                }
            };
        }
    }

    /** A count passes zero without opening the latch. */
    static final class PassesZero extends Broken {
        @Override
        protected LatchFixture newFixture() {
            return new LatchTwinFixture() {
                @Override
                boolean isZero(long left) {
                    return left == 0;
                }
            };
        }
    }

    /** The opening wakes one of those that wait. */
    static final class WakesOne extends Broken {
        @Override
        protected LatchFixture newFixture() {
            return new LatchTwinFixture() {
                @Override
                CompletableFuture<Boolean> endOf(String name, Count count) {
                    return count.end.getNumberOfDependents() == 0
                            ? super.endOf(name, count)
                            : new CompletableFuture<>();
                }
            };
        }
    }

    /** A caller looks from time to time whether there is a count, whichever it is. */
    static final class MissesOpenings extends Broken {
        @Override
        protected LatchFixture newFixture() {
            return new LatchTwinFixture() {
                private final Executor later = CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS);

                @Override
                CompletableFuture<Boolean> endOf(String name, Count count) {
                    return CompletableFuture.supplyAsync(() -> count(name), later)
                            .thenCompose(
                                    left -> left == 0 ? CompletableFuture.completedFuture(true) : endOf(name, count));
                }
            };
        }
    }

    /** A deletion opens the latch. */
    static final class OpensByDeletion extends Broken {
        @Override
        protected LatchFixture newFixture() {
            return new LatchTwinFixture() {
                @Override
                void deleted(Count count) {
                    count.end.complete(true);
                }
            };
        }
    }

    /** Those that wait do not notice a deletion. */
    static final class MissesDeletions extends Broken {
        @Override
        protected LatchFixture newFixture() {
            return new LatchTwinFixture() {
                @Override
                void deleted(Count count) {}
            };
        }
    }

    /** When one that waits leaves, all do. */
    static final class LeavesForAll extends Broken {
        @Override
        protected LatchFixture newFixture() {
            return new LatchTwinFixture() {
                @Override
                CompletableFuture<Boolean> endOf(String name, Count count) {
                    return count.end;
                }
            };
        }
    }
}
