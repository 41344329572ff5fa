package io.distributionlock.sample.order;

import io.distributionlock.LockFailureReason;
import io.distributionlock.aop.LockFailure;
import io.distributionlock.aop.LockFailureMapper;
import io.distributionlock.sample.web.Resp;
import org.springframework.stereotype.Component;

/**
 * What a locked method that returns a {@link Resp} answers when it did not run. Busy is a normal answer; anything else (Redis
 * cannot be reached, the application is shutting down) is an error, and is thrown for the web layer to report.
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
