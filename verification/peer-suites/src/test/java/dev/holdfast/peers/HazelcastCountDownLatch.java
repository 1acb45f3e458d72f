package dev.holdfast.peers;

import com.hazelcast.cp.ICountDownLatch;
import dev.holdfast.DistributedCountDownLatch;
import java.util.concurrent.TimeUnit;

/** The latch of Holdfast with Hazelcast's interface. */
record HazelcastCountDownLatch(DistributedCountDownLatch target) implements ICountDownLatch {
    @Override
    public boolean await(long timeout, TimeUnit unit) throws InterruptedException {
        return target.await(timeout, unit);
    }

    @Override
    public void countDown() {
        target.countDown();
    }

    @Override
    public int getCount() {
        return Math.toIntExact(target.getCount());
    }

    @Override
    public boolean trySetCount(int count) {
        return target.trySetCount(count);
    }

    @Override
    public String getName() {
        return target.name();
    }

    @Override
    public String getPartitionKey() {
        throw new UnsupportedOperationException("Redis has no partition keys");
    }

    @Override
    public String getServiceName() {
        throw new UnsupportedOperationException("the latch is not Hazelcast's");
    }

    @Override
    public void destroy() {
        target.delete();
    }
}
