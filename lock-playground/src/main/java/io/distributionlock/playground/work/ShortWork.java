package io.distributionlock.playground.work;

import java.time.Duration;
import org.springframework.stereotype.Component;

/** Simulates slow work between reading and writing: takes {@code playground.work.time}. */
@Component
public class ShortWork {

    private final WorkProperties properties;

    ShortWork(WorkProperties properties) {
        this.properties = properties;
    }

    /** Waits. Throws an {@link IllegalStateException} if the thread is interrupted, with its flag set again. */
    public void run() {
        run(properties.time());
    }

    /** Waits for this time instead; otherwise the same. */
    public static void run(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted at work; nothing was changed", interrupted);
        }
    }
}
