package io.distributionlock.fenced;

import io.distributionlock.CommitGuard;
import io.distributionlock.annotation.DistributionLock;
import org.springframework.transaction.annotation.Transactional;

/** The section as most applications have it: both annotations on one method. Its lease is renewed. */
class AnnotatedSections {

    /** Milliseconds; others ask again sooner than a section ends. */
    private static final int WAIT = 60;

    private final Section section;

    AnnotatedSections(Section section) {
        this.section = section;
    }

    @DistributionLock(key = "#{#counter}", tryLockTime = WAIT)
    @Transactional(transactionManager = WorkerApplication.UNGUARDED)
    public void none(String counter, Call call) {
        section.run(call);
    }

    @DistributionLock(key = "#{#counter}", tryLockTime = WAIT, commitGuard = CommitGuard.LOCAL)
    @Transactional
    public void local(String counter, Call call) {
        section.run(call);
    }

    @DistributionLock(key = "#{#counter}", tryLockTime = WAIT, commitGuard = CommitGuard.REMOTE)
    @Transactional
    public void remote(String counter, Call call) {
        section.run(call);
    }

    @DistributionLock(key = "#{#counter}", tryLockTime = WAIT, commitGuard = CommitGuard.DATABASE)
    @Transactional
    public void database(String counter, Call call) {
        section.run(call);
    }
}
