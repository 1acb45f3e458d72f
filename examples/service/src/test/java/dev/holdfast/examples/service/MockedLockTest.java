package dev.holdfast.examples.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.holdfast.DistributedLock;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A test that needs no Redis takes a mocked lock, which runs the bodies. */
final class MockedLockTest {
    @Test
    void mock_runsTheBody() throws Exception {
        DistributedLock lock = mock(DistributedLock.class);
        doAnswer(call -> Executors.callable(call.<Runnable>getArgument(0)).call())
                .when(lock)
                .runLocked(any());
        when(lock.callLocked(any()))
                .thenAnswer(call -> call.<Callable<?>>getArgument(0).call());

        assertThat(soldTwiceUnder(lock)).isEqualTo(2);
    }

    private static int soldTwiceUnder(DistributedLock lock) throws Exception {
        AtomicInteger sold = new AtomicInteger();
        lock.runLocked(sold::incrementAndGet);
        return lock.callLocked(sold::incrementAndGet);
    }
}
