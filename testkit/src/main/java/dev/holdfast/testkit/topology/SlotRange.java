package dev.holdfast.testkit.topology;

/** Neighbouring slots, both ends included. */
public record SlotRange(int first, int last) {
    static SlotRange parse(String text) {
        int dash = text.indexOf('-');
        int first = Integer.parseInt(dash < 0 ? text : text.substring(0, dash));
        return new SlotRange(first, dash < 0 ? first : Integer.parseInt(text.substring(dash + 1)));
    }

    /** The part of all slots that the master with this number has at first, of so many masters. */
    static SlotRange share(int master, int masters) {
        return new SlotRange(master * Slots.COUNT / masters, (master + 1) * Slots.COUNT / masters - 1);
    }

    boolean contains(int slot) {
        return first <= slot && slot <= last;
    }
}
