package dev.holdfast.examples.service.shop;

/** No piece of this item is left. */
public class SoldOutException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SoldOutException(String item) {
        super(item + " is sold out");
    }
}
