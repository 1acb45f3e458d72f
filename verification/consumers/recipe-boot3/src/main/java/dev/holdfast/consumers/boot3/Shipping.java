package dev.holdfast.consumers.boot3;

import dev.holdfast.Holdfast;
import org.springframework.stereotype.Service;

/** A bean that uses the client. */
@Service
class Shipping {
    private final Holdfast holdfast;

    Shipping(Holdfast holdfast) {
        this.holdfast = holdfast;
    }

    void ship(String order, Runnable work) {
        holdfast.getLock("orders:" + order).runLocked(work);
    }
}
