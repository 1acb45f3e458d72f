/**
 * A shop whose stock is sold by many processes under one lock. {@link dev.holdfast.examples.shop.ShopDemo} starts a
 * Redis and the processes, kills one of them while it holds the lock, makes one sale take far longer than a lease, and
 * then checks the accounts: no item may be sold twice, and none may be left. Without the lock the same program
 * oversells.
 *
 * <p>The package has three parts: the processes of sellers ({@code SellerProcess}, {@code Seller}, {@code Counter}),
 * the parent that starts and observes them ({@code ShopRun}, {@code Child}, {@code Observations}), and the evaluation,
 * which is pure ({@code Outcome}, {@code Verdict}, {@code Report}). The first two communicate by {@code Message} lines.
 */
@NullMarked
package dev.holdfast.examples.shop;

import org.jspecify.annotations.NullMarked;
