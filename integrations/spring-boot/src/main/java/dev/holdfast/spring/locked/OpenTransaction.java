package dev.holdfast.spring.locked;

import dev.holdfast.LeaseLostException;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/** The transaction of the calling thread, if Spring's transactions are on the class path and one is open. */
final class OpenTransaction {
    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.support.TransactionSynchronization",
            OpenTransaction.class.getClassLoader());

    private OpenTransaction() {}

    static boolean isOpen() {
        return PRESENT && Synchronizations.isActive();
    }

    /** Has the hold verified before the commit of the open transaction. */
    static void verify(Hold hold) {
        Synchronizations.verify(hold);
    }

    /** Has the hold verified before the commit of the open transaction, and released after its completion. */
    static void verifyAndRelease(Hold hold) {
        Synchronizations.verifyAndRelease(hold);
    }

    /**
     * Not loaded where transactions are absent. What implements a type of theirs is created here: if the outer class did,
     * the verifier of its byte code would load that type, even for a call that finds no transaction.
     */
    private static final class Synchronizations {
        static boolean isActive() {
            return TransactionSynchronizationManager.isSynchronizationActive()
                    && TransactionSynchronizationManager.isActualTransactionActive();
        }

        static void verify(Hold hold) {
            TransactionSynchronizationManager.registerSynchronization(new Verified(hold));
        }

        static void verifyAndRelease(Hold hold) {
            TransactionSynchronizationManager.registerSynchronization(new Released(hold));
        }
    }

    /** Comes last: what others write before the commit is protected as well. */
    private static class Verified implements TransactionSynchronization {
        private final Hold hold;

        Verified(Hold hold) {
            this.hold = hold;
        }

        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public void beforeCommit(boolean readOnly) {
            hold.check();
        }
    }

    private static final class Released extends Verified {
        private final Hold hold;

        Released(Hold hold) {
            super(hold);
            this.hold = hold;
        }

        /** A transaction that was rolled back is not affected by a loss, which would be logged as an error. */
        @Override
        public void afterCompletion(int status) {
            try {
                hold.release();
            } catch (LeaseLostException e) {
                if (status != STATUS_ROLLED_BACK) {
                    throw e;
                }
            }
        }
    }
}
