package io.distributionlock.sample.order;

import org.springframework.stereotype.Component;

/** Simulates slow work: takes {@code sample.order.work-time}. */
@Component
class SimulatedWork {

    private final OrderProperties properties;

    SimulatedWork(OrderProperties properties) {
        this.properties = properties;
    }

    void run() {
        try {
            Thread.sleep(properties.workTime().toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted at work; nothing was changed", interrupted);
        }
    }
}
