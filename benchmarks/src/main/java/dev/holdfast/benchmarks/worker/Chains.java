package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.Referee;
import dev.holdfast.benchmarks.system.AsyncLock;
import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Owners that are not threads, each with its own lock: the completion of one call starts the next, so that as many
 * calls are in flight as there are owners.
 */
public record Chains(LockSystem system, int owners) implements Task {
    private static final long LONGEST_STOP_SECONDS = 20;

    @Override
    public Contest prepare(Arena arena) {
        return new Running(arena.connect(system), "own-", owners);
    }

    static final class Running implements Contest {
        private final LockClient client;
        private final String names;
        private final Contenders contenders;
        private final CountDownLatch ended;
        private final List<Referee> referees;

        /**
         * @param names what the names of the locks begin with
         * @param owners the number of owners, each with a lock of its own
         */
        Running(LockClient client, String names, int owners) {
            this.client = client;
            this.names = names;
            contenders = new Contenders(owners);
            ended = new CountDownLatch(owners);
            referees = Stream.generate(Referee::local).limit(owners).toList();
        }

        @Override
        public void start() {
            for (int i = 0; i < contenders.count(); i++) {
                new Chain(i, client.asyncLock(names + i, i + 1L)).next();
            }
        }

        @Override
        public void open() {
            contenders.open();
        }

        @Override
        public void shut() {
            shutWindow();
            contenders.countTimers(List.of(client));
        }

        void shutWindow() {
            contenders.shut();
        }

        @Override
        public Tally stop() throws InterruptedException {
            contenders.stop();
            if (!ended.await(LONGEST_STOP_SECONDS, TimeUnit.SECONDS)) {
                contenders.failed(new IllegalStateException(ended.getCount() + " futures never completed"));
            }
            return contenders.tally(referees);
        }

        @Override
        public void close() {
            client.close();
        }

        private final class Chain {
            private final int index;
            private final AsyncLock lock;

            Chain(int index, AsyncLock lock) {
                this.index = index;
                this.lock = lock;
            }

            void next() {
                if (contenders.isStopped()) {
                    ended.countDown();
                    return;
                }
                contenders.get(index).requested();
                then(lock.lock().whenComplete((done, failure) -> acquired(failure)));
            }

            private void acquired(@Nullable Throwable failure) {
                if (failure != null) {
                    end(failure);
                    return;
                }
                contenders.get(index).acquired();
                referees.get(index).enter(index + 1L);
                referees.get(index).leave(index + 1L);
                then(lock.unlock().whenComplete((done, unreleased) -> released(unreleased)));
            }

            private void released(@Nullable Throwable failure) {
                if (failure != null) {
                    end(failure);
                    return;
                }
                next();
            }

            private void end(Throwable failure) {
                contenders.failed(failure);
                ended.countDown();
            }

            /** Records the exception of a callback, which would be lost otherwise. */
            private void then(CompletionStage<?> step) {
                step.exceptionally(failure -> {
                    contenders.failed(failure);
                    return null;
                });
            }
        }
    }
}
