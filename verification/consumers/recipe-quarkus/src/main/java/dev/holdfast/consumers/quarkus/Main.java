package dev.holdfast.consumers.quarkus;

import dev.holdfast.Holdfast;
import dev.holdfast.LockException;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.quarkus.runtime.annotations.QuarkusMain;
import jakarta.enterprise.inject.Instance;
import java.time.Duration;
import java.util.Scanner;
import java.util.concurrent.locks.LockSupport;

/** Ships the order that it reads until the client is being closed, and half a second longer. */
@QuarkusMain
public class Main implements QuarkusApplication {
    private static final Duration REST = Duration.ofMillis(500);

    private final Instance<Holdfast> holdfast;
    private final Instance<Shipping> shipping;

    Main(Instance<Holdfast> holdfast, Instance<Shipping> shipping) {
        this.holdfast = holdfast;
        this.shipping = shipping;
    }

    @Override
    public int run(String... arguments) {
        System.out.println("started");
        String order = new Scanner(System.in).nextLine();
        new Thread(() -> shipping.get().ship(order, this::work)).start();
        Quarkus.waitForExit();
        return 0;
    }

    private void work() {
        System.out.println("ships");
        while (grants()) {
            Thread.onSpinWait();
        }
        LockSupport.parkNanos(REST.toNanos());
    }

    private boolean grants() {
        try {
            holdfast.get().getLock("probe").runLocked(Thread::onSpinWait);
            return true;
        } catch (IllegalStateException | LockException e) {
            return false;
        }
    }
}
