package io.distributionlock.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributionlock.LockNotAcquiredException;
import io.distributionlock.annotation.DistributionLock;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

/** The lock and {@code @Transactional} on one method. */
class TransactionalTest {

    private final Trace trace = new Trace();

    @Test
    void byDefaultTheTransactionIsInsideOfTheLock() {
        trace.application(TransactionsAnywhere.class, TracedTransactions.class, Orders.class)
                .run(context -> {
                    context.getBean(Orders.class).update();
                    assertThat(trace.next()).containsExactly("lock order", "begin", "run", "commit", "unlock order");
                });
    }

    @Test
    void itStaysInsideOfALaterLock() {
        trace.application(TransactionsAnywhere.class, TracedTransactions.class, Orders.class)
                .withPropertyValues(Trace.LATER)
                .run(context -> {
                    context.getBean(Orders.class).update();
                    assertThat(trace.next()).containsExactly("lock order", "begin", "run", "commit", "unlock order");
                });
    }

    @Test
    void aTransactionThatBeganBeforeKeepsTheLockPastItsCommit() {
        trace.application(TransactionsFirst.class, TracedTransactions.class, Orders.class)
                .withPropertyValues(Trace.LATER)
                .run(context -> {
                    context.getBean(Orders.class).update();
                    assertThat(trace.next()).containsExactly("begin", "lock order", "run", "commit", "unlock order");
                });
    }

    @Test
    void suchATransactionHasBegunAlsoIfTheLockIsBusy() {
        trace.application(TransactionsFirst.class, TracedTransactions.class, Orders.class)
                .withPropertyValues(Trace.LATER)
                .run(context -> {
                    trace.locks().occupy("order");
                    trace.next();
                    assertThatThrownBy(context.getBean(Orders.class)::update)
                            .isInstanceOf(LockNotAcquiredException.class);
                    assertThat(trace.next()).containsExactly("begin", "rollback");
                });
    }

    @Test
    void suchACallFailsIfLocksInTransactionsAreRefused() {
        trace.application(TransactionsFirst.class, TracedTransactions.class, Orders.class)
                .withPropertyValues(Trace.LATER, "distribution-lock.transactions.outer=refuse")
                .run(context -> {
                    assertThatThrownBy(context.getBean(Orders.class)::update)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("distribution-lock.transactions.outer");
                    assertThat(trace.next()).containsExactly("begin", "rollback");
                });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    static class TransactionsAnywhere {}

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 900)
    static class TransactionsFirst {}

    static class Orders {

        private final Trace trace;

        Orders(Trace trace) {
            this.trace = trace;
        }

        @DistributionLock(key = "order", tryLockTime = 0)
        @Transactional
        public void update() {
            trace.add("run");
        }
    }

    static class TracedTransactions extends AbstractPlatformTransactionManager {

        private final transient Trace trace;

        TracedTransactions(Trace trace) {
            this.trace = trace;
        }

        @Override
        protected Object doGetTransaction() {
            return "transaction";
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {
            trace.add("begin");
        }

        @Override
        protected void doCommit(DefaultTransactionStatus status) {
            trace.add("commit");
        }

        @Override
        protected void doRollback(DefaultTransactionStatus status) {
            trace.add("rollback");
        }
    }
}
