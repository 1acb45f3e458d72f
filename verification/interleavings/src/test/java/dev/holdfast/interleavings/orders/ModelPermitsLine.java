package dev.holdfast.interleavings.orders;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.holdfast.internal.kind.Claim;
import dev.holdfast.internal.kind.Enlists;
import dev.holdfast.internal.kind.GrantMessage;
import dev.holdfast.internal.redis.Call;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The same permits with a line of clients, by the rules of {@code docs/design/semaphore.md}: nobody passes it, whatever frees
 * permits grants them down the line, and a client that has left keeps its place until that is passed.
 */
final class ModelPermitsLine extends ModelPermits implements Enlists {
    private final ModelChannels channels;

    // Guarded by this.
    /** By the clients, in their order. */
    private final Map<String, Waiter> line = new LinkedHashMap<>();

    /** Whether the line was opened since the key is there. */
    private boolean isOpened;

    private int commands;

    /**
     * What is granted at a place.
     *
     * @param owner empty if the client has left
     */
    private record Waiter(String owner, long tenure, int amount, int limit, long leaseMillis) {
        static final Waiter LEFT = new Waiter("", 0, 0, 0, 0);

        Waiter(Claim claim, long leaseMillis) {
            this(ModelLock.owner(claim), claim.tenure(), claim.count(), ModelPermits.limit(claim), leaseMillis);
        }

        boolean hasLeft() {
            return owner.isEmpty();
        }

        boolean isOf(Claim claim) {
            return owner.equals(ModelLock.owner(claim)) && tenure <= claim.tenure();
        }
    }

    /** @param micros the server's time */
    ModelPermitsLine(ModelChannels channels, LongSupplier micros) {
        super(micros, () -> {});
        this.channels = channels;
    }

    @Override
    public boolean waitsBesideHolders() {
        return true;
    }

    /** {@return how many clients wait in line} */
    synchronized int places() {
        return (int) line.values().stream().filter(waiter -> !waiter.hasLeft()).count();
    }

    /** {@return how many commands were run that acquire or release} */
    synchronized int commands() {
        return commands;
    }

    @Override
    synchronized void delete() {
        super.delete();
        line.clear();
        isOpened = false;
    }

    // --- Steps of the scripts.

    private static String client(Claim claim) {
        return owner(claim).substring(0, owner(claim).lastIndexOf(':'));
    }

    private boolean listens(Claim command, String client) {
        return channels.subscribers(grantChannel(command.lock(), client)) > 0;
    }

    /** {@return to how many clients permits were granted by a message} */
    private int serve(Claim command) {
        int told = 0;
        boolean isFirst = true;
        Iterator<Map.Entry<String, Waiter>> places = line.entrySet().iterator();
        while (places.hasNext()) {
            Map.Entry<String, Waiter> place = places.next();
            Waiter waiter = place.getValue();
            String channel = grantChannel(command.lock(), place.getKey());
            boolean listens = !waiter.hasLeft() && listens(command, place.getKey());
            if (listens && !fits(waiter.amount(), waiter.limit())) {
                if (!isFirst && !waiter.owner().equals(owner(command))) {
                    channels.publish(channel, "watch " + leftMillis());
                }
                break;
            }
            places.remove();
            isFirst = false;
            boolean isOwn = waiter.owner().equals(owner(command)) && waiter.tenure() == command.tenure();
            if (listens) {
                long leaseMillis = isOwn ? command.leaseMillis() : waiter.leaseMillis();
                take(waiter.owner(), waiter.tenure(), waiter.amount(), leaseMillis);
            }
            if (listens && !isOwn) {
                told += channels.publish(channel, grantOf(waiter, command));
            }
        }
        return told;
    }

    private String grantOf(Waiter waiter, Claim command) {
        Claim granted = new Claim(command.lock(), waiter.owner().getBytes(US_ASCII), waiter.tenure(), 0, 0);
        return waiter.owner() + " " + waiter.tenure() + " " + nowMicros() + " " + numberOf(granted);
    }

    // --- The scripts.

    @Override
    long[] acquire(Claim claim) {
        return acquire(claim, 0);
    }

    /** @param grantLeaseMillis 0 if it joins no line */
    private long[] acquire(Claim claim, long grantLeaseMillis) {
        commands++;
        if (tenureOf(owner(claim)) > claim.tenure()) {
            return one(tenureOf(owner(claim)));
        }
        boolean has = adopts(claim);
        dropEnded();
        String client = client(claim);
        boolean joins = grantLeaseMillis > 0
                && !has
                && (places() > 0 || !fits(claim.count(), limit(claim)))
                && listens(claim, client);
        Waiter known = line.get(client);
        if (known != null && joins && known.tenure() <= claim.tenure()) {
            line.put(client, new Waiter(claim, grantLeaseMillis));
        } else if (known != null && !joins && known.isOf(claim)) {
            line.put(client, Waiter.LEFT);
        }
        serve(claim);
        long mine = tenureOf(owner(claim));
        if (mine > claim.tenure()) {
            return one(mine);
        }
        if (mine == 0 && places() == 0 && fits(claim.count(), limit(claim))) {
            take(owner(claim), claim.tenure(), claim.count(), claim.leaseMillis());
        }
        if (tenureOf(owner(claim)) == claim.tenure()) {
            return grant(claim);
        }
        return joins ? enlisted(claim, new Waiter(claim, grantLeaseMillis)) : one(-leftMillis());
    }

    private long[] enlisted(Claim claim, Waiter waiter) {
        if (line.putIfAbsent(client(claim), waiter) == null) {
            String all = Enlists.lineChannel(claim.lock());
            if (!isOpened && channels.subscribers(all) > 1) {
                channels.publish(all, "opened " + nowMicros());
            }
            isOpened = true;
        }
        long before = line.entrySet().stream()
                .takeWhile(place -> !place.getKey().equals(client(claim)))
                .filter(place -> !place.getValue().hasLeft())
                .count();
        return new long[] {-leftMillis(), before, nowMicros()};
    }

    @Override
    long[] release(Claim claim) {
        commands++;
        long mine = tenureOf(owner(claim));
        if (mine > claim.tenure()) {
            return one(mine);
        }
        Waiter known = line.get(client(claim));
        if (mine == 0 && (known == null || !known.isOf(claim))) {
            return one(0);
        }
        if (mine == 0) {
            line.put(client(claim), Waiter.LEFT);
        }
        long was = give(claim);
        dropEnded();
        int told = serve(claim);
        if (held() == 0 && places() == 0) {
            delete();
        }
        if (told > 0) {
            return new long[] {was, told, -1};
        }
        int receivers = places() == 0 ? channels.publish(claim.lock().channel(), "0") : 0;
        return receivers > 0 ? new long[] {was, receivers} : one(was);
    }

    // --- The commands.

    @Override
    public Call acquireOrEnlist(Claim claim, long grantLeaseMillis, Unit whose, Call.Callback caller) {
        return command("an acquire for a place", caller, () -> acquire(claim, grantLeaseMillis));
    }

    @Override
    public Call releaseToLine(Claim claim, Call.Callback caller) {
        return release(claim, caller);
    }

    @Override
    public boolean startsOn(GrantMessage message) {
        return message.drawn() > 0;
    }
}
