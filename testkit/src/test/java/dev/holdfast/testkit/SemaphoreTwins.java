package dev.holdfast.testkit;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Semaphores with one fault each, run through the contract by {@link SemaphoreTwinsTest}, which must detect it. */
final class SemaphoreTwins {
    private SemaphoreTwins() {}

    /** Has a shorter time limit than the contract itself, so that a case that fails ends soon. */
    abstract static class Broken extends SemaphoreContract {
        @Override
        protected Duration timeout() {
            return Duration.ofMillis(250);
        }

        @Override
        protected SemaphoreFixture newFixture() {
            return new SemaphoreTwinFixture(this::newSemaphore);
        }

        TwinSemaphore newSemaphore() {
            return new TwinSemaphore();
        }
    }

    /** Each client has permits of its own. */
    static final class LimitsEachClient extends Broken {
        @Override
        protected SemaphoreFixture newFixture() {
            return new SemaphoreTwinFixture(TwinSemaphore::new) {
                @Override
                public SemaphoreClient newClient() {
                    return new SemaphoreTwinFixture(TwinSemaphore::new).newClient();
                }
            };
        }
    }

    /** A request for many is granted if one is free. */
    static final class GrantsWhatIsFree extends Broken {
        @Override
        TwinSemaphore newSemaphore() {
            return new TwinSemaphore() {
                @Override
                boolean fits(Request request) {
                    return held() < request.limit;
                }
            };
        }
    }

    /** A release frees one permit, however many were granted together. */
    static final class ReleasesOne extends Broken {
        @Override
        TwinSemaphore newSemaphore() {
            return new TwinSemaphore() {
                @Override
                synchronized void release(Grant grant) {
                    if (grant.permits > 1) {
                        grants.add(new Grant(grant.permits - 1, grant.number()));
                    }
                    super.release(grant);
                }
            };
        }
    }

    /** A number is how many hold permits already. */
    static final class NumbersByCount extends Broken {
        @Override
        TwinSemaphore newSemaphore() {
            return new TwinSemaphore() {
                @Override
                int newNumber() {
                    return grants.size();
                }
            };
        }
    }

    /** A number is never given again. */
    static final class NumbersWithoutEnd extends Broken {
        @Override
        TwinSemaphore newSemaphore() {
            return new TwinSemaphore() {
                private int next;

                @Override
                int newNumber() {
                    return next++;
                }
            };
        }
    }

    /** The one that came last is served first. */
    static final class ServesTheLastFirst extends Broken {
        @Override
        TwinSemaphore newSemaphore() {
            return new TwinSemaphore() {
                @Override
                void join(Request request) {
                    line.addFirst(request);
                }
            };
        }
    }

    /** A caller takes what is free, whoever waits. */
    static final class PassesTheLine extends Broken {
        @Override
        TwinSemaphore newSemaphore() {
            return new TwinSemaphore() {
                @Override
                boolean mayTry() {
                    return true;
                }
            };
        }
    }

    /** A release serves one of those that wait. */
    static final class ServesOne extends Broken {
        @Override
        TwinSemaphore newSemaphore() {
            return new TwinSemaphore() {
                @Override
                void serve() {
                    if (!line.isEmpty() && fits(line.element())) {
                        grant(line.remove());
                    }
                }
            };
        }
    }

    /** A caller that waits no longer keeps its place. */
    static final class KeepsThePlace extends Broken {
        @Override
        TwinSemaphore newSemaphore() {
            return new TwinSemaphore() {
                @Override
                synchronized void leave(Request request) {}
            };
        }
    }

    /** A caller that waits no longer is granted permits, which nobody releases. */
    static final class GrantsTheGone extends Broken {
        @Override
        TwinSemaphore newSemaphore() {
            return new TwinSemaphore() {
                @Override
                synchronized void leave(Request request) {
                    if (line.remove(request)) {
                        grants.add(new Grant(request.permits, newNumber()));
                    }
                }
            };
        }
    }

    /** A wait ends when it has hardly begun. */
    static final class TimesOutEarly extends Broken {
        @Override
        TwinSemaphore newSemaphore() {
            return new TwinSemaphore() {
                @Override
                Duration waitOf(Request request) {
                    return Duration.ofNanos(1);
                }
            };
        }
    }

    /** A thread that is interrupted waits on. */
    static final class IgnoresInterrupts extends Broken {
        @Override
        protected SemaphoreFixture newFixture() {
            return new SemaphoreTwinFixture(TwinSemaphore::new) {
                @Override
                <T> T outcomeOf(CompletableFuture<T> call) {
                    return call.join();
                }
            };
        }
    }

    /** A thread that is interrupted leaves its request in line. */
    static final class WaitsAfterAnInterrupt extends Broken {
        @Override
        protected SemaphoreFixture newFixture() {
            return new SemaphoreTwinFixture(TwinSemaphore::new) {
                @Override
                void abandon(CompletableFuture<?> call) {}
            };
        }
    }

    /** The limit is that of the first request. */
    static final class KeepsTheFirstLimit extends Broken {
        @Override
        TwinSemaphore newSemaphore() {
            return new TwinSemaphore() {
                private int limit;

                @Override
                boolean fits(Request request) {
                    limit = limit == 0 ? request.limit : limit;
                    return held() + request.permits <= limit;
                }
            };
        }
    }

    /** A lease does not end. */
    static final class HoldsForEver extends Broken {
        @Override
        TwinSemaphore newSemaphore() {
            return new TwinSemaphore() {
                @Override
                void end(Grant grant) {}
            };
        }
    }

    /** Permits without a lease are not renewed. */
    static final class ForgetsToRenew extends Broken {
        @Override
        TwinSemaphore newSemaphore() {
            return new TwinSemaphore() {
                @Override
                Duration leaseOf(Request request) {
                    return Duration.ofMillis(20);
                }
            };
        }
    }

    /** A release of permits that are not held frees those of another caller, as if permits were a count. */
    static final class CountsReleases extends Broken {
        @Override
        TwinSemaphore newSemaphore() {
            return new TwinSemaphore() {
                @Override
                synchronized void release(Grant grant) {
                    super.release(grants.isEmpty() || grants.contains(grant) ? grant : grants.get(0));
                }
            };
        }
    }
}
