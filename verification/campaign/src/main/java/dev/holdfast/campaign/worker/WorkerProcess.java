package dev.holdfast.campaign.worker;

import org.jspecify.annotations.Nullable;

/** The process of a client. Replies to each order. */
final class WorkerProcess {
    private final Orders<Order> orders;
    private final Resource resource;
    /** Null between rounds; used by the main thread only. */
    private @Nullable ClientRound round;

    private WorkerProcess(Orders<Order> orders, Resource resource) {
        this.orders = orders;
        this.resource = resource;
    }

    /**
     * Executes orders until the input ends.
     *
     * @param args the URI of the resource
     */
    public static void main(String[] args) {
        Orders<Order> orders = new Orders<>(Order.LINES);
        WorkerProcess process = new WorkerProcess(orders, Resource.at(args[0]));
        process.answer(new Answer.Ready());
        orders.carryOut(process::carryOut, process::failed);
    }

    private void carryOut(Order order) throws InterruptedException {
        if (order instanceof Order.Begin begin) {
            round = ClientRound.begin(begin, resource, this::failed);
            answer(new Answer.Begun());
            return;
        }
        ClientRound current = round;
        if (current == null) {
            throw new IllegalStateException("an order without a round: " + Order.LINES.write(order));
        }
        if (order instanceof Order.Stop) {
            current.stop();
            answer(new Answer.Stopped());
        } else {
            if (order instanceof Order.CloseInUse) {
                current.closeInUse();
            } else {
                current.close();
            }
            round = null;
            answer(new Answer.Closed());
        }
    }

    private void failed(String reason) {
        answer(new Answer.Failed(reason.lines().findFirst().orElse("")));
    }

    private void answer(Answer answer) {
        orders.reply(Answer.LINES.write(answer));
    }
}
