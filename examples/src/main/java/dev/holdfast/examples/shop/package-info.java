/**
 * A shop whose stock is sold by many processes under one lock. {@link dev.holdfast.examples.shop.ShopDemo} starts a Redis
 * and the processes, kills one of them while it holds the lock, lets one sale take far longer than a lease, and then does
 * the accounts: nothing may be sold twice, nothing left over. Without the lock the same program oversells.
 *
 * <p>Three parts that share little: the processes that sell ({@code SellerProcess}, {@code Seller}, {@code Counter}), the
 * one that starts and watches them ({@code ShopRun}, {@code Child}, {@code Observations}), and what is made of it all,
 * which is pure ({@code Outcome}, {@code Verdict}, {@code Report}). The first two talk in {@code Message} lines.
 */
@NullMarked
package dev.holdfast.examples.shop;

import org.jspecify.annotations.NullMarked;
