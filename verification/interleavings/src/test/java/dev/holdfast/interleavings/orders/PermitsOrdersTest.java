package dev.holdfast.interleavings.orders;

import static dev.holdfast.interleavings.Interleavings.require;
import static dev.holdfast.interleavings.Orders.explore;
import static dev.holdfast.interleavings.Orders.together;

import dev.holdfast.interleavings.orders.ModelClient.Owner;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A kind of lock that two owners can have at a time, in any order of calls and replies: two have it whenever two want
 * it, never more, and afterwards nothing is left.
 */
class PermitsOrdersTest {

    /** Three owners want the two permits: two get them, and the third one gets the first that is released. */
    @Test
    void threeOwners_twoPermits() {
        explore(() -> {
            ModelClient client = new ModelClient();
            List<Owner> owners = owners(client, 3);
            together(owners.get(0)::acquire, owners.get(1)::acquire, owners.get(2)::acquire);
            client.quiet();
            requireHolders(2, owners);

            Owner first = owners.stream().filter(Owner::holds).findFirst().orElseThrow();
            Owner last =
                    owners.stream().filter(owner -> !owner.holds()).findFirst().orElseThrow();
            first.release();
            client.quiet();
            first.requireReleased();
            require(last.holds(), "the third owner has the permit that was released");
            finish(client, owners.stream().filter(owner -> owner != first).toList());
        });
    }

    /** Two waiters: one message that announces two free permits serves both. */
    @Test
    void oneMessage_servesBothWaiters() {
        explore(() -> {
            ModelClient client = new ModelClient();
            client.permits.takeForOthers(ModelClient.PERMITS);
            List<Owner> owners = owners(client, 2);
            owners.forEach(Owner::acquire);
            client.quiet();
            requireHolders(0, owners);

            together(client.permits::releaseAllOfOthers, client::serveAndReceive);
            client.quiet();
            requireHolders(2, owners);
            finish(client, owners);
        });
    }

    /** Two holders release at the same time, while two others wait: both get a permit. */
    @Test
    void twoReleases_serveBothWaiters() {
        explore(() -> {
            ModelClient client = new ModelClient();
            List<Owner> holders = owners(client, 2);
            holders.forEach(Owner::acquire);
            client.quiet();
            List<Owner> waiters = owners(client, 2);
            waiters.forEach(Owner::acquire);
            client.quiet();
            requireHolders(0, waiters);

            together(holders.get(0)::release, holders.get(1)::release, client::serveAndReceive);
            client.quiet();
            holders.forEach(Owner::requireReleased);
            requireHolders(2, waiters);
            finish(client, waiters);
        });
    }

    /** The waiter that is to attempt next gives up just when the one before it is granted: the next one is served. */
    @Test
    void grant_againstLeaveOfTheNext() {
        explore(() -> {
            ModelClient client = new ModelClient();
            client.permits.takeForOthers(ModelClient.PERMITS);
            List<Owner> owners = owners(client, 3);
            owners.forEach(Owner::acquire);
            client.quiet();

            client.permits.releaseAllOfOthers();
            together(owners.get(1)::leave, client::serveAndReceive);
            client.quiet();
            require(owners.get(0).holds(), "the first owner has a permit");
            require(owners.get(1).holds() || owners.get(2).holds(), "and so has one of the others");
            if (owners.get(1).holds()) {
                owners.get(1).release();
                client.quiet();
            }
            require(owners.get(2).holds(), "and in the end the last one");
            finish(client, List.of(owners.get(0), owners.get(2)));
        });
    }

    /** Unlike the owner of an exclusive lock, those of permits do not keep their client from waiting in line for more. */
    @Test
    void holders_excludeNobody() {
        explore(() -> {
            ModelClient client = new ModelClient();
            List<Owner> owners = owners(client, 3);
            owners.forEach(Owner::acquire);
            Owner exclusive = client.new Owner();
            exclusive.acquire();
            client.quiet();
            require(exclusive.excludesOthers(), "an exclusive lock excludes others");

            together(owners.get(0)::release, exclusive::release, client::serveAndReceive);
            client.quiet();
            List<Owner> holders = owners.subList(1, 3);
            requireHolders(2, holders);
            require(
                    holders.stream().noneMatch(Owner::excludesOthers),
                    "permits do not, whether or not a queue knows of them");
            finish(client, holders);
        });
    }

    /** An owner that requests both permits is served when both are free, and before one that has come later and requests one. */
    @Test
    void both_beforeOneThatCameLater() {
        explore(() -> {
            ModelClient client = new ModelClient();
            Owner first = client.new Owner(client.permitsKey());
            first.acquire();
            client.quiet();
            Owner both = client.new Owner(client.permitsKey(), 2);
            both.acquire();
            client.quiet();
            require(!both.holds(), "one permit is not enough");

            Owner later = client.new Owner(client.permitsKey());
            together(first::release, later::acquire, client::serveAndReceive);
            client.quiet();
            first.requireReleased();
            if (later.holds()) {
                // It has attempted by itself, before it waited.
                later.release();
                client.quiet();
                require(both.holds(), "both permits are free");
                finish(client, List.of(both));
            } else {
                require(both.holds(), "the one that came first has both permits");
                both.release();
                client.quiet();
                require(later.holds(), "and then the other one has one");
                finish(client, List.of(later));
            }
        });
    }

    private static List<Owner> owners(ModelClient client, int number) {
        return Stream.generate(() -> client.new Owner(client.permitsKey()))
                .limit(number)
                .toList();
    }

    private static void requireHolders(int number, List<Owner> owners) {
        long holders = owners.stream().filter(Owner::holds).count();
        require(holders == number, number + " owners hold, were " + holders);
        long numbers = owners.stream()
                .filter(Owner::holds)
                .map(Owner::drawn)
                .filter(drawn -> drawn > 0)
                .distinct()
                .count();
        require(numbers == number, "each has a number of its own");
    }

    private static void finish(ModelClient client, List<Owner> holders) {
        holders.forEach(Owner::release);
        client.quiet();
        holders.forEach(Owner::requireReleased);
        require(client.permits.mostHeld() <= 2, "no more than two permits were held at a time");
        client.requireNothingLeft();
    }
}
