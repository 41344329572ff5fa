package io.distributionlock.fenced;

import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import java.time.Duration;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Calls the section in both forms that the library has: by an annotated method, and in code. */
final class Caller {

    static final Duration LEASE = Duration.ofSeconds(1);

    private static final Duration WAIT = Duration.ofMillis(60);

    private final LockTemplate locks;
    private final AnnotatedSections methods;
    private final Section section;
    private final TransactionTemplate guarded;
    private final TransactionTemplate unguarded;

    Caller(ApplicationContext application) {
        locks = application.getBean(LockTemplate.class);
        methods = application.getBean(AnnotatedSections.class);
        section = application.getBean(Section.class);
        guarded = new TransactionTemplate(application.getBean(PlatformTransactionManager.class));
        unguarded = new TransactionTemplate(
                application.getBean(WorkerApplication.UNGUARDED, PlatformTransactionManager.class));
    }

    /** Returns normally only if the transaction did. */
    void call(Call call) {
        Call.CURRENT.set(call);
        try {
            if (call.fixedLease) {
                inCode(call);
            } else {
                annotated(call);
            }
        } finally {
            Call.CURRENT.remove();
        }
    }

    private void inCode(Call call) {
        LockRequest request = locks.request(call.counter)
                .tryLockTime(WAIT)
                .holdLockTime(LEASE)
                .commitGuard(call.guard.asked())
                .build();
        TransactionTemplate transactions = call.guard == Guard.NONE ? unguarded : guarded;
        locks.executeWithoutResult(request, () -> transactions.executeWithoutResult(status -> section.run(call)));
    }

    private void annotated(Call call) {
        switch (call.guard) {
            case NONE -> methods.none(call.counter, call);
            case LOCAL -> methods.local(call.counter, call);
            case REMOTE -> methods.remote(call.counter, call);
            case DATABASE -> methods.database(call.counter, call);
        }
    }
}
