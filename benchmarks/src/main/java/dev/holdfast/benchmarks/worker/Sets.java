package dev.holdfast.benchmarks.worker;

import dev.holdfast.benchmarks.measure.Referee;
import dev.holdfast.benchmarks.system.BlockingLock;
import dev.holdfast.benchmarks.system.LockClient;
import dev.holdfast.benchmarks.system.LockSystem;
import dev.holdfast.benchmarks.system.Member;
import dev.holdfast.benchmarks.system.MultiClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Threads that acquire several locks together and release them, over and over: each time others, in any order. The
 * locks are dealt out to the servers in turn.
 *
 * @param system the system whose locks they use
 * @param clients the number of clients, each of them one for every server
 * @param threads the number of threads of each client
 * @param locks the number of locks in all
 * @param members how many of them are acquired together
 */
public record Sets(LockSystem system, int clients, int threads, int locks, int members) implements Task {
    @Override
    public Contest prepare(Arena arena) {
        return new Running(this, arena);
    }

    private static final class Running extends ThreadContest {
        private final Sets task;
        private final Arena arena;
        private final List<MultiClient> clients;
        private final List<Member> all;
        private final List<Referee> referees;

        /** What was undone within the window, once it has been shut. */
        private long undone;

        private long restarts;

        Running(Sets task, Arena arena) {
            super(task.clients * task.threads);
            this.task = task;
            this.arena = arena;
            clients = Stream.generate(() -> arena.connectToAll(task.system))
                    .limit(task.clients)
                    .toList();
            int servers = arena.uris().size();
            all = IntStream.range(0, task.locks)
                    .mapToObj(i -> new Member("member-" + i, i % servers))
                    .toList();
            referees = IntStream.range(0, task.locks).mapToObj(arena::referee).toList();
        }

        @Override
        List<LockClient> clients() {
            return clients.stream().flatMap(each -> each.clients().stream()).toList();
        }

        @Override
        List<Referee> referees() {
            return referees;
        }

        @Override
        Runnable step(int index) {
            long number = arena.contender(index);
            Random random = new Random(number);
            MultiClient client = clients.get(index % clients.size());
            Contender contender = contenders().get(index);
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, task.locks).boxed().toList());
            return () -> {
                Collections.shuffle(order, random);
                List<Integer> chosen = order.subList(0, task.members);
                BlockingLock lock = client.all(chosen.stream().map(all::get).toList());
                contender.requested();
                lock.lock();
                contender.acquired();
                chosen.forEach(i -> referees.get(i).enter(number));
                chosen.forEach(i -> referees.get(i).leave(number));
                lock.unlock();
            };
        }

        @Override
        public void open() {
            super.open();
            undone = -sum(MultiClient::undone);
            restarts = -sum(MultiClient::restarts);
        }

        @Override
        void shutWindow() {
            super.shutWindow();
            undone += sum(MultiClient::undone);
            restarts += sum(MultiClient::restarts);
        }

        private long sum(ToLongFunction<MultiClient> count) {
            return clients.stream().mapToLong(count).sum();
        }

        @Override
        Marks marks(Marks marks) {
            return marks.undone(undone, restarts);
        }
    }
}
