package dev.holdfast.examples.service.shop;

/**
 * A piece that was sold.
 *
 * @param item which item
 * @param piece the number of the piece; the first one sold has the highest
 * @param instance which instance of the shop sold it
 */
public record Sale(String item, int piece, String instance) {}
