package dev.holdfast.examples.service.shop;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** What customers request. */
@RestController
class Items {
    private final Stock stock;
    private final Till till;

    Items(Stock stock, Till till) {
        this.stock = stock;
        this.till = till;
    }

    /**
     * An item.
     *
     * @param id its name
     * @param left how many pieces are left
     */
    record Item(String id, int left) {}

    @GetMapping("/items/{item}")
    Item show(@PathVariable String item) {
        return new Item(item, stock.left(item));
    }

    @PostMapping("/items/{item}/sales")
    @ResponseStatus(HttpStatus.CREATED)
    Sale sell(@PathVariable String item) {
        return till.sell(item);
    }
}
