package dev.holdfast.campaign.soak;

import dev.holdfast.DistributedLock;
import dev.holdfast.DistributedReadWriteLock;
import dev.holdfast.FencedLock;
import dev.holdfast.Holdfast;
import dev.holdfast.Lease;
import dev.holdfast.Permits;
import dev.holdfast.SegmentLease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The turns of an actor. */
final class Turns {
    /** For how long a call waits. */
    static final Duration WAIT = Duration.ofSeconds(5);

    /** More readers than there are actors. */
    private static final int ALL_READERS = 1_000;

    private final Kind kind;
    private final Turn.Setting setting;
    private final Holdfast holdfast;
    private final Reports reports;
    private int names;

    Turns(Kind kind, Turn.Setting setting) {
        this.kind = kind;
        this.setting = setting;
        this.holdfast = setting.holdfast();
        this.reports = new Reports(kind, setting.client(), setting.random(), setting.parent());
    }

    Turn ofKind() {
        return switch (kind) {
            case PLAIN -> this::plain;
            case FENCED -> this::fenced;
            case FAIR -> () -> asThread(holdfast.getFairLock(Kind.FAIR_LOCK));
            case MULTI -> this::multi;
            case SEGMENTS -> this::segments;
            case READ_WRITE -> this::readWrite;
            case SEMAPHORE -> this::semaphore;
            case LATCH -> new LatchTurns(setting, reports)::take;
            case CONDITION -> new ConditionTurns(setting, reports)::take;
        };
    }

    private void plain() throws Exception {
        DistributedLock lock = holdfast.getLock(chance(30) ? once() : oneOf(Kind.PLAIN_LOCKS));
        switch (setting.random().nextInt(4)) {
            case 0 -> asThread(lock);
            case 1 -> lease(lock.tryAcquire(WAIT), 1, 1);
            case 2 -> lease(lock.tryAcquireAsync(WAIT).get(), 1, 1);
            default -> abandoned(lock);
        }
    }

    /** A request that is abandoned, perhaps when it was granted already. */
    private void abandoned(DistributedLock lock) throws Exception {
        var request = lock.acquireAsync();
        reports.work();
        if (!request.cancel(false)) {
            lease(Optional.of(request.get()), 1, 1);
        }
    }

    private void fenced() throws InterruptedException {
        FencedLock lock = holdfast.getFencedLock(oneOf(Kind.FENCED_LOCKS));
        OptionalLong token = lock.tryLockAndGetToken(WAIT);
        if (token.isPresent()) {
            held(lock, token.getAsLong());
        }
    }

    private void asThread(DistributedLock lock) throws InterruptedException {
        if (lock.tryLock(WAIT)) {
            held(lock, 0);
        }
    }

    private void held(DistributedLock lock, long token) {
        try {
            reports.hold(List.of(lock.name()), lock::isHeldByCurrentThread, 1, 1, token);
        } finally {
            lock.unlock();
        }
    }

    private void multi() throws InterruptedException {
        int first = setting.random().nextInt(Kind.PLAIN_LOCKS.size());
        int second = (first + 1) % Kind.PLAIN_LOCKS.size();
        var lock = Holdfast.multiLock(
                holdfast.getLock(Kind.PLAIN_LOCKS.get(first)),
                holdfast.getLock(chance(20) ? once() : Kind.PLAIN_LOCKS.get(second)));
        var lease = lock.tryAcquire(WAIT);
        if (lease.isPresent()) {
            lease(lease, lease.get().names(), 1, 1);
        }
    }

    private void segments() throws InterruptedException {
        Optional<SegmentLease> lease =
                holdfast.getSegmentedLock(Kind.SEGMENTED, Kind.SEGMENT_COUNT).tryAcquire(WAIT);
        lease(lease, 1, 1);
    }

    private void readWrite() throws Exception {
        DistributedReadWriteLock lock = holdfast.getReadWriteLock(chance(20) ? once() : Kind.READ_WRITE_LOCK);
        if (chance(70)) {
            lease(lock.readLock().tryAcquire(WAIT), 1, ALL_READERS);
        } else if (chance(70)) {
            lease(lock.writeLock().tryAcquire(WAIT), ALL_READERS, ALL_READERS);
        } else {
            Optional<Lease> write = lock.writeLock().tryAcquire(WAIT);
            if (write.isPresent()) {
                lease(Optional.of(lock.downgrade(write.get())), 1, ALL_READERS);
            }
        }
    }

    private void semaphore() throws InterruptedException {
        String name = chance(20) ? once() : Kind.SEMAPHORE_NAME;
        int permits = 1 + setting.random().nextInt(2);
        Optional<Permits> lease = holdfast.getSemaphore(name, Kind.PERMITS).tryAcquire(permits, WAIT);
        lease(lease, permits, Kind.PERMITS);
    }

    private void lease(Optional<? extends Lease> lease, int weight, int capacity) {
        if (lease.isPresent()) {
            lease(lease, List.of(lease.get().name()), weight, capacity);
        }
    }

    private void lease(Optional<? extends Lease> granted, List<String> of, int weight, int capacity) {
        try (Lease lease = granted.orElseThrow()) {
            reports.hold(of, lease::isValid, weight, capacity, 0);
        }
    }

    /** {@return a name that is used once} */
    private String once() {
        return "once-" + holdfast.clientId() + "-" + kind + "-"
                + Thread.currentThread().getId() + "-" + names++;
    }

    private String oneOf(List<String> choices) {
        return choices.get(setting.random().nextInt(choices.size()));
    }

    private boolean chance(int percent) {
        return setting.random().nextInt(100) < percent;
    }
}
