package dev.holdfast.examples.service.shop;

import dev.holdfast.LeaseLostException;
import dev.holdfast.LockException;
import dev.holdfast.spring.locked.LockBusyException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** The status of a request that is not known to have sold anything. */
@RestControllerAdvice
class Refusals {

    @ExceptionHandler
    ProblemDetail unknown(NoSuchItemException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, text(e));
    }

    @ExceptionHandler
    ProblemDetail soldOut(SoldOutException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.GONE, text(e));
    }

    /** Another owner sold after this one had read the stock: the customer may try again. */
    @ExceptionHandler
    ProblemDetail stale(StaleSaleException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, text(e));
    }

    /** No lock, or none any more: what was sold shows in the stock, and the customer may try again later. */
    @ExceptionHandler({LockBusyException.class, LeaseLostException.class, LockException.class})
    ProblemDetail unlocked(RuntimeException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, text(e));
    }

    private static String text(Exception e) {
        return String.valueOf(e.getMessage());
    }
}
