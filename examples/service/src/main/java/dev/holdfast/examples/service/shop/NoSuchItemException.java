package dev.holdfast.examples.service.shop;

/** The shop does not have this item. */
public class NoSuchItemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NoSuchItemException(String item) {
        super("no item " + item);
    }
}
