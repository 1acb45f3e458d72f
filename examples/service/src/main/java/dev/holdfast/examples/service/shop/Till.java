package dev.holdfast.examples.service.shop;

/**
 * Sells one piece of an item: reads how many are left, has the customer's bank authorise the payment, and writes one
 * less. That takes two statements and a call of another system in between; it is right only if no other instance sells
 * the same item between the two.
 */
public interface Till {

    /**
     * Sells the next piece.
     *
     * @throws NoSuchItemException if the shop does not have this item
     * @throws SoldOutException if no piece is left
     * @throws StaleSaleException if this instance was too late: others have sold since its lock was lost
     * @throws dev.holdfast.spring.locked.LockBusyException if the item stayed locked by others; nothing was sold
     * @throws dev.holdfast.LeaseLostException if the lock was lost; a piece was sold only if that was found at the release
     * @throws dev.holdfast.LockException if Redis failed; a piece was sold only if it failed at the release
     */
    Sale sell(String item);
}
