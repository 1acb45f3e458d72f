package dev.holdfast.campaign.worker;

import dev.holdfast.DistributedLock;
import dev.holdfast.FencedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.MultiLease;
import dev.holdfast.MultiLock;
import dev.holdfast.campaign.history.By;
import dev.holdfast.campaign.history.What;
import dev.holdfast.campaign.schedule.Turn;
import dev.holdfast.internal.view.MultiOwners;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Multi-locks. Each hold of one, and each call in vain, has an owner of its own in the journal. */
final class MultiDoor implements Door {
    private final HoldfastClient client;
    private final Manner manner;
    /** What the thread holds, and would enter again; always null for handles. */
    private @Nullable Joint held;

    /** The API. */
    enum Manner {
        /** Blocking calls; the thread is the owner. */
        THREAD,
        /** A handle, by blocking calls. */
        HANDLE,
        /** A handle, by futures. */
        FUTURE
    }

    MultiDoor(HoldfastClient client, Manner manner) {
        this.client = client;
        this.manner = manner;
    }

    @Override
    public boolean isReentrant() {
        return manner == Manner.THREAD;
    }

    @Override
    public boolean isBlocking() {
        return manner != Manner.FUTURE;
    }

    @Override
    public Optional<Stay> enter(Turn turn) {
        List<DistributedLock> locks = client.locks(turn);
        MultiLock lock = Holdfast.multiLock(locks.toArray(DistributedLock[]::new));
        return held == null ? acquire(turn, locks, lock) : enterAgain(turn, lock, held);
    }

    private Optional<Stay> acquire(Turn turn, List<DistributedLock> locks, MultiLock lock) {
        OwnerDiary owner = client.owner(By.MULTI, "multi-" + client.diary().nextNumber());
        JointCall call = JointCall.of(
                owner,
                turn,
                locks.stream()
                        .map(each -> new Diary.Name(each.name(), each instanceof FencedLock))
                        .toList());
        try {
            if (manner == Manner.THREAD) {
                return byThread(turn, locks, lock, owner, call);
            }
            Optional<MultiLease> lease = acquire(lock, turn);
            if (lease.isEmpty()) {
                call.all(Call::missed);
                return Optional.empty();
            }
            MultiLease handle = lease.get();
            List<Joint.Member> members =
                    granted(turn, locks, owner, call, each -> MultiOwners.of(handle, each), handle);
            return Optional.of(new Joint(owner, members, Joint.Use.of(handle, turn.keep(), manner == Manner.FUTURE)));
        } catch (InterruptedException | ExecutionException | RuntimeException e) {
            call.threw(e);
            return Optional.empty();
        }
    }

    private Optional<Stay> byThread(
            Turn turn, List<DistributedLock> locks, MultiLock lock, OwnerDiary owner, JointCall call)
            throws InterruptedException {
        if (!lock(lock, turn)) {
            call.all(Call::missed);
            return Optional.empty();
        }
        List<Joint.Member> members = granted(turn, locks, owner, call, each -> MultiOwners.ofThread(lock, each), null);
        Joint stay = new Joint(owner, members, Joint.Use.of(lock, () -> held = null));
        held = stay;
        return Optional.of(stay);
    }

    /** @param handle has the tokens of fenced locks; null if the thread is the owner, which has none */
    private static List<Joint.Member> granted(
            Turn turn,
            List<DistributedLock> locks,
            OwnerDiary owner,
            JointCall call,
            Function<DistributedLock, String> names,
            @Nullable MultiLease handle) {
        return locks.stream()
                .map(each -> {
                    String name = names.apply(each);
                    long token = handle != null && each instanceof FencedLock ? handle.token(each) : 0;
                    Grant grant = owner.granted(turn, each.name(), call.take(each.name()), token, 1, name);
                    return new Joint.Member(grant, Inspection.of(each, owner, name), name);
                })
                .toList();
    }

    /** A re-entry is local, and not recorded, unless it has a lease: then it extends what is held. */
    private Optional<Stay> enterAgain(Turn turn, MultiLock lock, Joint stay) {
        List<Call> calls = turn.lease().isPresent() ? stay.calls(What.EXTEND, turn.lease()) : List.of();
        try {
            boolean entered = lock(lock, turn);
            calls.forEach(call -> {
                if (entered) {
                    call.extended();
                } else {
                    call.failed();
                }
            });
            return entered ? Optional.of(stay.again()) : Optional.empty();
        } catch (InterruptedException | LeaseLostException | LockException | IllegalStateException e) {
            if (e instanceof IllegalStateException && !client.diary().isClosing()) {
                throw new IllegalStateException("a re-entry failed in a way that its contract does not name: " + e, e);
            }
            calls.forEach(call -> call.threw(e));
            return Optional.empty();
        }
    }

    private boolean lock(MultiLock lock, Turn turn) throws InterruptedException {
        Optional<Duration> lease = turn.lease();
        Alarm alarm = client.alarm(turn.patience());
        try {
            switch (turn.way()) {
                case LOCK -> lease.ifPresentOrElse(lock::lock, lock::lock);
                case LOCK_INTERRUPTIBLY -> {
                    if (lease.isPresent()) {
                        lock.lockInterruptibly(lease.get());
                    } else {
                        lock.lockInterruptibly();
                    }
                }
                case TRY -> {
                    return lease.isPresent() ? lock.tryLock(Duration.ZERO, lease.get()) : lock.tryLock();
                }
                case TRY_WAIT -> {
                    return lease.isPresent()
                            ? lock.tryLock(turn.longestWait(), lease.get())
                            : lock.tryLock(turn.longestWait());
                }
            }
            return true;
        } finally {
            alarm.turnOff();
        }
    }

    private Optional<MultiLease> acquire(MultiLock lock, Turn turn) throws InterruptedException, ExecutionException {
        HandleAcquirer<MultiLease> by = new HandleAcquirer<>(
                lock::acquire,
                lock::acquire,
                lock::acquireInterruptibly,
                lock::acquireInterruptibly,
                lock::tryAcquire,
                lock::tryAcquire,
                lock::acquireAsync,
                lock::acquireAsync,
                lock::tryAcquireAsync,
                lock::tryAcquireAsync);
        return manner == Manner.FUTURE ? by.async(turn) : by.blocking(client, turn);
    }
}
