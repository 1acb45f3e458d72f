package dev.holdfast.examples.service.shop;

/** A sale that the database has refused: since its lock was lost, another owner has sold this item. */
public class StaleSaleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StaleSaleException(String item, long token) {
        super("others have sold " + item + " since its lock was acquired with the token " + token);
    }
}
