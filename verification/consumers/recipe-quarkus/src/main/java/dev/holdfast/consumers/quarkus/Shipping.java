package dev.holdfast.consumers.quarkus;

import dev.holdfast.Holdfast;
import jakarta.annotation.PreDestroy;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/** A bean that uses the client, also while it is destroyed. */
@ApplicationScoped
class Shipping {
    private final Holdfast holdfast;

    Shipping(Holdfast holdfast) {
        this.holdfast = holdfast;
    }

    void ship(String order, Runnable work) {
        holdfast.getLock("orders:" + order).runLocked(work);
    }

    @PreDestroy
    void end() {
        holdfast.getLock("last-use").acquire().closeAfter(Duration.ofMinutes(1));
    }
}
