package dev.holdfast.campaign.history;

import dev.holdfast.campaign.history.Event.Called;
import dev.holdfast.campaign.history.Event.Returned;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * All recorded events, ordered by time; events with equal times stay in the given order.
 *
 * @param events from all journals
 */
public record History(List<Event> events) {
    /**
     * @throws IllegalArgumentException if an operation is called or returns twice, or returns without a call: an
     *     inconsistent history cannot be judged
     */
    public History {
        events = events.stream().sorted(Comparator.comparingLong(Event::at)).toList();
        pairs(events);
    }

    /** {@return the history of these events} */
    public static History of(Event... events) {
        return new History(List.of(events));
    }

    /** {@return the history in these journals} */
    public static History read(Collection<Path> journals) {
        return new History(
                journals.stream().flatMap(file -> Journal.read(file).stream()).toList());
    }

    /** {@return the events of one type} */
    public <E extends Event> Stream<E> all(Class<E> kind) {
        return events.stream().filter(kind::isInstance).map(kind::cast);
    }

    /** {@return all operations on locks and semaphores, in the order of their calls} */
    public List<Operation> operations() {
        return calls().stream()
                .filter(operation -> operation.called().what().isOfLock())
                .toList();
    }

    /** {@return all operations on locks, which only one owner has at a time unless all read, in the order of their calls} */
    public List<Operation> lockOperations() {
        return operations().stream()
                .filter(operation -> !operation.isOfSemaphore())
                .toList();
    }

    /** {@return all operations on semaphores, in the order of their calls} */
    public List<Operation> semaphoreOperations() {
        return operations().stream().filter(Operation::isOfSemaphore).toList();
    }

    /** {@return all operations on latches, in the order of their calls} */
    public List<Operation> latchOperations() {
        return calls().stream()
                .filter(operation -> operation.called().what().isOfLatch())
                .toList();
    }

    /** {@return all operations, in the order of their calls} */
    public List<Operation> calls() {
        Map<Op, Returned> returns = pairs(events);
        return all(Called.class)
                .map(called -> new Operation(called, returns.get(called.op())))
                .toList();
    }

    /** {@return the time of the last event, 0 if there is none} */
    public long end() {
        return events.isEmpty() ? 0 : events.get(events.size() - 1).at();
    }

    private static Map<Op, Returned> pairs(List<Event> events) {
        Map<Op, Called> calls = new HashMap<>();
        Map<Op, Returned> returns = new HashMap<>();
        for (Event event : events) {
            if (event instanceof Called called) {
                require(calls.putIfAbsent(called.op(), called) == null, "be called once", called.op());
            } else if (event instanceof Returned returned) {
                require(calls.containsKey(returned.op()), "be called before it returns", returned.op());
                require(returns.putIfAbsent(returned.op(), returned) == null, "return once", returned.op());
            }
        }
        return returns;
    }

    private static void require(boolean right, String rule, Op op) {
        if (!right) {
            throw new IllegalArgumentException("an operation must " + rule + ", was " + op);
        }
    }
}
