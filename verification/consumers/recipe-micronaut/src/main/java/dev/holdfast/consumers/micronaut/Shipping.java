package dev.holdfast.consumers.micronaut;

import dev.holdfast.Holdfast;
import jakarta.inject.Singleton;

/** A bean that uses the client. */
@Singleton
class Shipping {
    private final Holdfast holdfast;

    Shipping(Holdfast holdfast) {
        this.holdfast = holdfast;
    }

    void ship(String order, Runnable work) {
        holdfast.getLock("orders:" + order).runLocked(work);
    }
}
