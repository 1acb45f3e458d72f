package dev.holdfast.examples.service.demo;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/** The instances of the shop; one that was started again takes the place of the one that was killed. */
final class Fleet implements AutoCloseable {
    private final List<String> properties;
    private final List<Instance> instances = new CopyOnWriteArrayList<>();
    private final List<Instance> killed = new ArrayList<>();
    private volatile OptionalInt only = OptionalInt.empty();

    private Fleet(List<String> properties) {
        this.properties = properties;
    }

    /**
     * Starts the instances side by side, and waits until all are ready.
     *
     * @throws java.util.concurrent.CompletionException if one ended before, or was not ready in time
     */
    static Fleet start(int number, List<String> properties) {
        Fleet fleet = new Fleet(properties);
        try {
            for (int i = 0; i < number; i++) {
                fleet.instances.add(Instance.start("shop-" + (i + 1), properties));
            }
            fleet.instances.forEach(instance -> instance.awaitReady(Plan.LIMIT));
            return fleet;
        } catch (RuntimeException e) {
            fleet.close();
            throw e;
        }
    }

    Instance at(int place) {
        return instances.get(place);
    }

    List<Instance> instances() {
        return List.copyOf(instances);
    }

    List<Instance> killed() {
        return List.copyOf(killed);
    }

    /** Sends all customers to one instance; if it is not ready they wait for it, until {@link #openAll}. */
    void openOnly(int place) {
        only = OptionalInt.of(place);
    }

    void openAll() {
        only = OptionalInt.empty();
    }

    /** {@return where a customer finds a shop: at its own place, or at the next one where there is one} */
    Optional<URI> nearest(int place) {
        OptionalInt onlyOpen = only;
        if (onlyOpen.isPresent()) {
            return instances.get(onlyOpen.getAsInt()).url();
        }
        return IntStream.range(0, instances.size())
                .mapToObj(i -> instances.get((place + i) % instances.size()).url())
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** Starts an instance in place of the one that was killed; does not wait for it. */
    void restart(int place) {
        Instance gone = instances.get(place);
        killed.add(gone);
        instances.set(place, Instance.start(gone.name() + "b", properties));
    }

    @Override
    public void close() {
        instances.forEach(Instance::stop);
        instances.forEach(Instance::close);
        killed.forEach(Instance::close);
    }
}
