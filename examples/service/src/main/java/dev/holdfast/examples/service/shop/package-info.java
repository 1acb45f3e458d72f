/**
 * The shop: an application of Spring Boot that sells pieces of items by REST, several instances of which share one
 * database. {@link dev.holdfast.examples.service.shop.LockedTill} is where the lock is.
 */
@NullMarked
package dev.holdfast.examples.service.shop;

import org.jspecify.annotations.NullMarked;
