package dev.holdfast.campaign.soak;

import dev.holdfast.campaign.nemesis.Victim;
import java.time.Duration;

/** The place of a client, as the target of faults: a fault of its process hits the other client of that as well. */
final class SoakSeat implements Victim {
    private static final Duration CLOSED_WITHIN = Duration.ofSeconds(60);

    private final int client;
    private final SoakSeats seats;

    SoakSeat(int client, SoakSeats seats) {
        this.client = client;
        this.seats = seats;
    }

    @Override
    public void freeze() {
        seats.worker(client).freeze();
    }

    @Override
    public void thaw() {
        seats.worker(client).thaw();
    }

    @Override
    public void kill() {
        seats.worker(client).kill();
    }

    @Override
    public void close() {
        seats.worker(client).send(new SoakOrder.Close(client));
    }

    @Override
    public void reopen() {
        try {
            seats.worker(client).await(SoakAnswer.Closed.class, CLOSED_WITHIN);
            seats.open(client);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void replace() {
        try {
            seats.replace(client);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
