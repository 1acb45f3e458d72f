package dev.holdfast.campaign.soak;

/** Where actors stop between their turns while it is closed. */
final class Gate {
    /** All fields are guarded by this. */
    private boolean closed;

    private int actors;
    private int waiting;

    /** An actor begins: while it is closed, nobody is at rest before this actor is. */
    synchronized void enter() {
        actors++;
    }

    /** An actor has ended. */
    synchronized void leave() {
        actors--;
        notifyAll();
    }

    /** Returns when it is open. */
    synchronized void pass() throws InterruptedException {
        waiting++;
        notifyAll();
        while (closed) {
            wait();
        }
        waiting--;
    }

    /** Closes it, and waits until all actors have stopped. */
    synchronized void close() throws InterruptedException {
        closed = true;
        while (waiting < actors) {
            wait();
        }
    }

    synchronized void open() {
        closed = false;
        notifyAll();
    }
}
