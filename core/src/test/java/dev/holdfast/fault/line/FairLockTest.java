package dev.holdfast.fault.line;

import static dev.holdfast.FaultyRedis.SOON;
import static dev.holdfast.FaultyRedis.eventually;
import static dev.holdfast.FaultyRedis.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.DistributedLock;
import dev.holdfast.FaultyRedis;
import dev.holdfast.Guarded;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.RealTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A fair lock is granted in the order in which the owners of all clients got their places, and no faulty client ends that. */
@Tag("fault")
final class FairLockTest {
    private static final String NAME = LineScene.NAME;

    @RegisterExtension
    final FaultyRedis faulty = new FaultyRedis();

    private final LineScene line = new LineScene(faulty);

    /** The waiting owners, in the order in which they got their places. */
    private final List<CompletableFuture<Lease>> waiting = new ArrayList<>();

    private void join(DistributedLock lock) {
        waiting.add(line.join(lock, waiting.size() + 1));
    }

    private void join(Holdfast client) {
        join(client.getFairLock(NAME));
    }

    /** Serves all that wait, and asserts that nobody is served before its turn. */
    private void serveInOrder() {
        for (int first = 0; first < waiting.size(); first++) {
            Lease lease = get(waiting.get(first));
            assertThat(waiting.subList(first + 1, waiting.size())).noneMatch(CompletableFuture::isDone);
            lease.close();
        }
        eventually(() -> faulty.keys().isEmpty());
    }

    /** The owners of several clients alternate as they have come, although a client could hand the lock on by itself. */
    @Test
    void owners_areServedInOrder() {
        Holdfast first = faulty.bystander();
        Holdfast second = faulty.bystander();
        Lease held = first.getFairLock(NAME).acquire();
        for (Holdfast client : List.of(second, first, first, second, first, second, second)) {
            join(client);
        }

        held.close();

        serveInOrder();
    }

    /** An owner that has had the lock is the last one again, for many rounds. */
    @Test
    void rounds_areInOrder() {
        int rounds = 15;
        Lease held = line.holders().acquire();
        Queue<DistributedLock> order = new ArrayDeque<>();
        for (int client = 0; client < 3; client++) {
            DistributedLock lock = faulty.bystander().getFairLock(NAME);
            order.add(lock);
            order.add(lock);
        }
        int owners = order.size();
        Queue<CompletableFuture<Lease>> served = new ArrayDeque<>();
        int place = 0;
        for (DistributedLock lock : order) {
            place++;
            served.add(line.join(lock, place));
        }
        held.close();

        for (int turn = 0; turn < rounds * owners; turn++) {
            DistributedLock lock = order.remove();
            Lease lease = get(served.remove());
            assertThat(served).noneMatch(CompletableFuture::isDone);
            order.add(lock);
            served.add(line.join(lock, owners));
            lease.close();
        }

        served.forEach(next -> get(next).close());
    }

    /** Two scripts for each acquisition, as many as the owners and clients may be, but for the first ones. */
    @Test
    void crowd_costsTwoScriptsEach() {
        int turns = 25;
        Guarded guarded = new Guarded();
        List<DistributedLock> locks = Stream.generate(() -> faulty.bystander().getFairLock(NAME))
                .limit(3)
                .flatMap(lock -> Stream.of(lock, lock, lock, lock))
                .toList();
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (DistributedLock lock : locks) {
            ends.add(FaultyRedis.elsewhere(() -> {
                for (int i = 0; i < turns; i++) {
                    lock.lock();
                    try {
                        guarded.enter();
                    } finally {
                        lock.unlock();
                    }
                }
                return true;
            }));
        }

        ends.forEach(FaultyRedis::get);

        guarded.assertEntered(locks.size() * turns);
        assertThat(line.evaluations()).isLessThan(3L * locks.size() * turns);
        assertThat(faulty.keys()).isEmpty();
    }

    /** An owner that gives up leaves the order of the others as it is: its place is not that of another owner of its client. */
    @Test
    void leaver_leavesTheOrder() {
        Holdfast first = faulty.bystander();
        Holdfast second = faulty.bystander();
        Lease held = second.getFairLock(NAME).acquire();
        join(first);
        join(second);
        join(first);
        CompletableFuture<Lease> leaver = waiting.remove(0);

        leaver.cancel(false);
        line.awaitInLine(2);
        held.close();

        serveInOrder();
    }

    /** Hundreds of owners wait: each client listens once for all of its own, and grants them in the order of their calls. */
    @Test
    void hundredsOfOwners_areServedInOrder() {
        int each = 150;
        Lease held = line.holders().acquire();
        List<Integer> served = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<?>> ends = new ArrayList<>();
        List<DistributedLock> locks =
                List.of(faulty.bystander().getFairLock(NAME), faulty.bystander().getFairLock(NAME));
        for (int owner = 0; owner < 2 * each; owner++) {
            int number = owner;
            ends.add(locks.get(owner % 2).acquireAsync().thenCompose(lease -> {
                served.add(number);
                return lease.releaseAsync();
            }));
            if (owner < 2) {
                line.awaitInLine(owner + 1);
            }
        }
        line.awaitInLine(2 * each);
        assertThat(faulty.server().channels()).hasSize(4);

        held.close();

        ends.forEach(FaultyRedis::get);
        for (int client = 0; client < 2; client++) {
            int rest = client;
            assertThat(served.stream().filter(number -> number % 2 == rest))
                    .hasSize(each)
                    .isSorted();
        }
        eventually(() -> faulty.keys().isEmpty());
    }

    /** A process is killed and starts anew: its former places delay nobody, and its owners are the last ones in line. */
    @Test
    void restartedClient_isLast() {
        Holdfast killed = line.cautious();
        Holdfast other = faulty.bystander();
        Lease held = other.getFairLock(NAME).acquire();
        CompletableFuture<Lease> gone = line.join(killed.getFairLock(NAME), 1);
        waiting.add(line.join(other.getFairLock(NAME), 2));
        faulty.proxy().refuse();
        faulty.proxy().cutRst();
        eventually(() -> faulty.server().channels().size() == 3);
        Holdfast restarted = faulty.bystander();
        waiting.add(line.join(restarted.getFairLock(NAME), 3));
        waiting.add(line.join(other.getFairLock(NAME), 4));

        held.close();

        serveInOrder();
        gone.cancel(false);
    }

    /** The owners of a client that is closed are passed over, without delay. */
    @Test
    void closedClient_isPassedOver() {
        Holdfast closed = line.cautious();
        Holdfast other = faulty.bystander();
        Lease held = other.getFairLock(NAME).acquire();
        CompletableFuture<Lease> first = line.join(closed.getFairLock(NAME), 1);
        CompletableFuture<Lease> second = line.join(closed.getFairLock(NAME), 2);
        CompletableFuture<Lease> next = line.join(other.getFairLock(NAME), 3);
        faulty.proxy().refuse();
        faulty.proxy().cutRst();
        eventually(() -> faulty.server().channels().size() == 3);

        held.close();

        get(next, SOON).close();
        first.cancel(false);
        second.cancel(false);
    }

    /**
     * A client that is cut off without the server knowing holds up the lock for one claim, however many of its owners are in
     * line: another client watches over it. The owners of that one stay in their order.
     */
    @RealTime
    void cutOffClient_costsOneClaim() {
        Holdfast cutOff = line.cautious();
        Holdfast other = line.brisk();
        Lease held = other.getFairLock(NAME).acquire();
        List<CompletableFuture<Lease>> lost = new ArrayList<>();
        for (int place = 1; place <= 3; place++) {
            lost.add(line.join(cutOff.getFairLock(NAME), place));
        }
        for (int place = 4; place <= 6; place++) {
            waiting.add(line.join(other.getFairLock(NAME), place));
        }
        faulty.proxy().blackHole();

        held.close();
        long granted = System.nanoTime();
        get(waiting.get(0), SOON);
        Duration stood = FaultyRedis.since(granted);

        serveInOrder();
        assertThat(stood).isLessThan(LineScene.CLAIM.multipliedBy(3));
        lost.forEach(owner -> owner.cancel(false));
    }

    /** While a fair waiter of the client is in line, a plain hold is not handed off to it past one of another client. */
    @Test
    void plainHold_isNotHandedOffPastTheLine() {
        Holdfast mixed = faulty.bystander();
        Holdfast other = faulty.bystander();
        Lease held = mixed.getLock(NAME).acquire();
        join(other);
        join(mixed);

        held.close();

        serveInOrder();
    }

    /** A fair hold is not handed off past the line, though only a plain waiter of its client waits. */
    @Test
    void fairHold_isNotHandedOffPastTheLine() {
        Holdfast mixed = faulty.bystander();
        Holdfast other = faulty.bystander();
        Lease held = mixed.getFairLock(NAME).acquire();
        join(other);
        CompletableFuture<Lease> plain = mixed.getLock(NAME).acquireAsync();
        faulty.awaitWaiting(mixed, 1);

        held.close();

        Lease first = get(waiting.get(0));
        assertThat(plain).isNotDone();
        first.close();
        get(plain).close();
        eventually(() -> faulty.keys().isEmpty());
    }

    /** The plain lock beside it, in a client of its own, excludes it, and has one place for all its owners. */
    @Test
    void plainClient_hasOnePlace() {
        Holdfast fair = faulty.bystander();
        Holdfast plain = faulty.bystander();
        Lease held = fair.getFairLock(NAME).acquire();
        CompletableFuture<Lease> first = line.join(fair.getFairLock(NAME), 1);
        CompletableFuture<Lease> second = line.join(plain.getLock(NAME), 2);
        CompletableFuture<Lease> behind = plain.getLock(NAME).acquireAsync();
        faulty.awaitWaiting(plain, 2);
        CompletableFuture<Lease> third = line.join(fair.getFairLock(NAME), 3);

        held.close();

        Lease one = get(first);
        assertThat(Stream.of(second, behind, third)).noneMatch(CompletableFuture::isDone);
        one.close();
        Lease two = get(second);
        assertThat(Stream.of(behind, third)).noneMatch(CompletableFuture::isDone);
        two.close();
        get(behind).close();
        get(third).close();
        eventually(() -> faulty.keys().isEmpty());
    }

    /** In one client, those that wait for the plain and the fenced lock of the name wait in the order of all owners as well. */
    @Test
    void otherKinds_ofTheClient_areInOrder() {
        Holdfast mixed = faulty.bystander();
        Holdfast other = faulty.bystander();
        Lease held = mixed.getLock(NAME).acquire();
        join(mixed);
        join(mixed.getFencedLock(NAME));
        join(other);
        join(mixed.getLock(NAME));
        join(mixed.getFencedLock(NAME));
        join(other);
        join(mixed);

        held.close();

        serveInOrder();
    }

    /** A plain lock that owners of one client wait for becomes fair with the first that wants it to be: nobody is forgotten. */
    @Test
    void plainQueue_becomesFair() {
        Holdfast mixed = faulty.bystander();
        Holdfast other = faulty.bystander();
        Lease held = other.getLock(NAME).acquire();
        CompletableFuture<Lease> before = line.join(mixed.getLock(NAME), 1);
        CompletableFuture<Lease> behind = mixed.getLock(NAME).acquireAsync();
        faulty.awaitWaiting(mixed, 2);
        CompletableFuture<Lease> fair = mixed.getFairLock(NAME).acquireAsync();
        eventually(() -> line.holders().inspect().clientsInLine() >= 3);
        CompletableFuture<Lease> last = other.getFairLock(NAME).acquireAsync();

        held.close();

        Stream.of(before, behind, fair, last)
                .map(next -> next.thenCompose(Lease::releaseAsync))
                .toList()
                .forEach(end -> get(end, SOON));
        eventually(() -> faulty.keys().isEmpty());
    }

    /** The line is lost with the data of the server: all owners are served nevertheless, those of one client in their order. */
    @RealTime
    void line_isLost() {
        get(line.holders().acquireAsync(Duration.ofSeconds(1)));
        Holdfast client = line.brisk();
        for (int owner = 0; owner < 5; owner++) {
            join(client);
        }

        faulty.server().command("FLUSHALL");

        serveInOrder();
    }

    /** The lock is forced open, and its line ends: the owners form a new one, in their order. */
    @Test
    void forcedOpen_formsTheLineAnew() {
        Lease held = line.holders().acquire();
        Holdfast client = faulty.bystander();
        for (int owner = 0; owner < 4; owner++) {
            join(client);
        }

        line.holders().forceUnlock();

        get(waiting.get(0));
        line.awaitInLine(3);
        serveInOrder();
        assertThatThrownBy(held::close).isInstanceOf(LeaseLostException.class);
    }

    /** A client that loses its subscriptions for a moment keeps the places of all its owners. */
    @RealTime
    void subscription_isRenewed() {
        Holdfast client = line.cautious();
        Lease held = line.holders().acquire();
        for (int owner = 0; owner < 3; owner++) {
            join(client);
        }
        faulty.subscriberConnection().cutRst();
        eventually(() -> faulty.server().channels().size() == 3);

        held.close();

        serveInOrder();
    }
}
