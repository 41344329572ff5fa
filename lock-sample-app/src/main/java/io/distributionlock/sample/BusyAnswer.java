package io.distributionlock.sample;

import io.distributionlock.failure.LockFailure;
import io.distributionlock.failure.LockFailureMapper;
import org.springframework.stereotype.Component;

/** What the caller of a locked method that returns a {@link Resp} gets if the method did not run. */
@Component
class BusyAnswer implements LockFailureMapper<Resp<?>> {

    @Override
    public Resp<?> map(LockFailure failure) {
        return switch (failure.reason()) {
            case BUSY -> Resp.buildFail(1, "Busy; try again later");
            case REPEATED -> Resp.buildFail(5, "You have just done this");
            default -> throw failure.exception(); // No normal answer: Redis is away, for example. See FailureAdvice.
        };
    }
}
