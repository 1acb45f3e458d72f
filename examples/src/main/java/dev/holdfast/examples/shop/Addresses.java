package dev.holdfast.examples.shop;

/**
 * The URIs of the Redis servers.
 *
 * @param shop of the server with the shop's data
 * @param lock of the servers with the lock, perhaps the same
 */
record Addresses(String shop, String lock) {}
