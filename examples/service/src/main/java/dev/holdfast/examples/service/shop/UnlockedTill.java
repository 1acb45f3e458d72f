package dev.holdfast.examples.service.shop;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Sells without a lock, to show that the transaction alone does not keep a piece from being sold twice. */
@Service
@ConditionalOnBooleanProperty(name = "shop.lock", havingValue = false)
class UnlockedTill implements Till {
    private final Stock stock;
    private final Bank bank;

    UnlockedTill(Stock stock, Bank bank) {
        this.stock = stock;
        this.bank = bank;
    }

    @Override
    @Transactional
    public Sale sell(String item) {
        int piece = stock.nextPiece(item);
        bank.authorise(item);
        return stock.sell(item, piece);
    }
}
