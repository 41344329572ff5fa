package io.distributionlock.playground.order;

import io.distributionlock.LockFailureReason;
import io.distributionlock.failure.LockFailure;
import io.distributionlock.failure.LockFailureMapper;
import io.distributionlock.playground.web.Resp;
import org.springframework.stereotype.Component;

/**
 * The answer of a locked method that returns a {@link Resp} and did not run. Busy is a normal answer. Anything else,
 * such as an unreachable Redis or a shutdown, is an error, which the web layer reports.
 */
@Component
class BusyAnswer implements LockFailureMapper<Resp<?>> {

    private final OrderProperties properties;

    BusyAnswer(OrderProperties properties) {
        this.properties = properties;
    }

    @Override
    public Resp<?> map(LockFailure failure) {
        if (failure.reason() == LockFailureReason.BUSY) {
            return Resp.buildFail(properties.busyMessage());
        }
        throw failure.exception();
    }
}
