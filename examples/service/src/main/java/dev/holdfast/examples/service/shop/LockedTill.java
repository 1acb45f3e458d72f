package dev.holdfast.examples.service.shop;

import dev.holdfast.spring.locked.CurrentLock;
import dev.holdfast.spring.locked.Locked;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Sells an item under its lock. The lock is acquired before the transaction and released after its commit. The write has
 * the lock's fencing token, so that the database refuses an instance that was stopped for longer than its lease.
 */
@Service
@ConditionalOnBooleanProperty(name = "shop.lock", matchIfMissing = true)
class LockedTill implements Till {
    private final Stock stock;
    private final Bank bank;

    LockedTill(Stock stock, Bank bank) {
        this.stock = stock;
        this.bank = bank;
    }

    @Override
    @Locked(name = "item", key = "#item", waitFor = "10s", fenced = true)
    @Transactional
    public Sale sell(String item) {
        int piece = stock.nextPiece(item);
        bank.authorise(item);
        return stock.sell(item, piece, CurrentLock.token());
    }
}
