package dev.holdfast.examples.service.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Customers that buy one piece after the other, each at its own place if there is a shop, until all are sold. */
final class Customers implements AutoCloseable {
    private static final Duration NO_SHOP = Duration.ofMillis(20);

    private final Fleet fleet;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<Reply, Long> replies = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();

    private Customers(Fleet fleet) {
        this.fleet = fleet;
    }

    static Customers start(int number, Fleet fleet) {
        Customers customers = new Customers(fleet);
        for (int i = 0; i < number; i++) {
            int place = i % fleet.instances().size();
            Thread customer = new Thread(() -> customers.buyAll(place), "customer-" + i);
            customer.setDaemon(true);
            customers.threads.add(customer);
        }
        customers.threads.forEach(Thread::start);
        return customers;
    }

    private void buyAll(int place) {
        try {
            boolean soldOut = false;
            while (!soldOut) {
                Optional<URI> shop = fleet.nearest(place);
                if (shop.isEmpty()) {
                    Thread.sleep(NO_SHOP.toMillis());
                } else {
                    Reply reply = buy(shop.get());
                    replies.merge(reply, 1L, Long::sum);
                    soldOut = reply == Reply.SOLD_OUT;
                }
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private Reply buy(URI shop) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(shop.resolve("/items/" + Plan.ITEM + "/sales"))
                .POST(HttpRequest.BodyPublishers.noBody())
                .timeout(Plan.LIMIT)
                .build();
        try {
            return Reply.of(http.send(request, BodyHandlers.discarding()).statusCode());
        } catch (IOException killed) {
            return Reply.UNANSWERED;
        }
    }

    boolean areDone() {
        return threads.stream().noneMatch(Thread::isAlive);
    }

    long count(Reply reply) {
        return replies.getOrDefault(reply, 0L);
    }

    /** Sends the customers home. */
    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}
