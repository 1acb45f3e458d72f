package dev.holdfast.campaign.worker;

import dev.holdfast.LeaseLostException;
import dev.holdfast.LossReason;
import dev.holdfast.MultiLease;
import dev.holdfast.MultiLock;
import dev.holdfast.campaign.history.ReportChannel;
import dev.holdfast.campaign.history.What;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Several locks that are held together. Each has a hold of its own in the journal. */
final class Joint implements Stay {
    private final OwnerDiary owner;
    private final List<Member> members;
    private final Use use;

    /**
     * One of the locks.
     *
     * @param nameInRedis the name of its owner in Redis
     */
    record Member(Grant grant, Inspection inspection, String nameInRedis) {}

    /** How the holder uses the whole. */
    interface Use {
        boolean isValid();

        boolean isOfHandle();

        /** Extends the leases of a handle. */
        void extend(Duration lease);

        /** For how long the locks stay busy after the release; empty if they are free then. */
        Optional<Duration> keep();

        void release() throws Exception;

        /** Leaves a level other than the first. */
        void leaveAgain();

        /** {@return what a handle holds} */
        static Use of(MultiLease lease, Optional<Duration> keep, boolean async) {
            return new Use() {
                @Override
                public boolean isValid() {
                    return lease.isValid();
                }

                @Override
                public boolean isOfHandle() {
                    return true;
                }

                @Override
                public void extend(Duration by) {
                    lease.extend(by);
                }

                @Override
                public Optional<Duration> keep() {
                    return keep;
                }

                @Override
                public void release() throws Exception {
                    Releasing.carryOut(lease, keep, async);
                }

                @Override
                public void leaveAgain() {
                    throw new IllegalStateException("a handle has one level");
                }
            };
        }

        /**
         * {@return what the calling thread holds}
         *
         * @param left run when the thread has left its first level
         */
        static Use of(MultiLock lock, Runnable left) {
            return new Use() {
                @Override
                public boolean isValid() {
                    return lock.isHeldByCurrentThread();
                }

                @Override
                public boolean isOfHandle() {
                    return false;
                }

                @Override
                public void extend(Duration lease) {
                    throw new IllegalStateException("a thread extends its locks by a re-entry");
                }

                @Override
                public Optional<Duration> keep() {
                    return Optional.empty();
                }

                @Override
                public void release() {
                    left.run();
                    lock.unlock();
                }

                @Override
                public void leaveAgain() {
                    lock.unlock();
                }
            };
        }
    }

    Joint(OwnerDiary owner, List<Member> members, Use use) {
        this.owner = owner;
        this.members = members;
        this.use = use;
    }

    @Override
    public Grant grant() {
        return members.get(0).grant();
    }

    @Override
    public List<Grant> grants() {
        return members.stream().map(Member::grant).toList();
    }

    @Override
    public boolean isValid() {
        return use.isValid();
    }

    /** A thread has no such operation; a re-entry has the same effect. */
    @Override
    public void extend(Duration lease) {
        if (!use.isOfHandle()) {
            return;
        }
        List<Call> calls = calls(What.EXTEND, Optional.of(lease));
        try {
            use.extend(lease);
            calls.forEach(Call::extended);
        } catch (RuntimeException e) {
            calls.forEach(call -> call.threw(e));
        }
    }

    /** {@return the recorded calls of an operation on each of the locks, in their order} */
    List<Call> calls(What what, Optional<Duration> lease) {
        return members.stream()
                .map(member -> owner.calls(what, member.grant().lock(), lease))
                .toList();
    }

    @Override
    public void inspect() {
        members.forEach(member -> member.inspection().carryOut(member.grant().lock()));
    }

    @Override
    public void leave() {
        members.forEach(member -> owner.holds().ended(member.grant().lock(), member.nameInRedis()));
        Optional<Duration> keep = use.keep();
        What what = keep.isPresent() ? What.CLOSE_AFTER : What.UNLOCK;
        List<Call> calls = calls(what, keep);
        try {
            use.release();
            calls.forEach(call -> call.released(0));
        } catch (Exception e) {
            for (int i = 0; i < calls.size(); i++) {
                left(members.get(i), calls.get(i), Call.cause(e));
            }
        }
    }

    /** If one of the locks was lost, the others are released, but it is not reported when. */
    private void left(Member member, Call call, Throwable failure) {
        boolean othersStay = failure instanceof LeaseLostException lost && lost.reason() != LossReason.CLOSED;
        if (othersStay && !owner.diary().wasAnnounced(member.grant().op(), Set.of(ReportChannel.LISTENER))) {
            call.sent();
        } else {
            call.threw(failure);
        }
    }

    /** {@return the same locks, entered once more} */
    Stay again() {
        return new Again();
    }

    private final class Again implements Stay {
        @Override
        public Grant grant() {
            return Joint.this.grant();
        }

        @Override
        public List<Grant> grants() {
            return Joint.this.grants();
        }

        @Override
        public boolean isValid() {
            return Joint.this.isValid();
        }

        @Override
        public void extend(Duration lease) {
            Joint.this.extend(lease);
        }

        @Override
        public void inspect() {
            Joint.this.inspect();
        }

        @Override
        public void leave() {
            try {
                use.leaveAgain();
            } catch (LeaseLostException reported) {
                // The release of the first level records it.
            }
        }
    }
}
