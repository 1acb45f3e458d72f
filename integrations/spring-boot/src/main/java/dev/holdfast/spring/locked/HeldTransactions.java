package dev.holdfast.spring.locked;

import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;

/** Has the locks of a thread verified before the commit of each transaction that the thread begins under them. */
final class HeldTransactions implements TransactionExecutionListener {
    @Override
    public void afterBegin(TransactionExecution transaction, @Nullable Throwable beginFailure) {
        if (beginFailure == null && OpenTransaction.isOpen()) {
            Holds.ofThread().forEach(OpenTransaction::verify);
        }
    }
}
