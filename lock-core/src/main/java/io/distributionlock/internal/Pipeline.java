package io.distributionlock.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Commands of one thread that leave together: a hundred locks cost one flush of a connection instead of a hundred. While an action
 * runs in {@link #of}, senders hand over what this thread sends; they get it back, all at once, when the action ends.
 *
 * <p>The action must not wait for the answer to anything that it sends. {@link Await} sends what was collected before it waits.
 *
 * @hidden
 */
@Internal
public final class Pipeline {

    private static final ThreadLocal<@Nullable Pipeline> CURRENT = new ThreadLocal<>();

    private Map<Consumer<?>, List<Object>> commands = new LinkedHashMap<>();

    private Pipeline() {}

    /** Runs the action for each of the items; what they send leaves together. */
    public static <T> void ofEach(Collection<T> items, Consumer<T> action) {
        if (items.size() == 1) {
            items.forEach(action);
        } else {
            of(() -> items.forEach(action));
        }
    }

    /** Runs the action; what it sends leaves together. Inside of another pipeline, it belongs to that one. */
    public static void of(Runnable action) {
        if (CURRENT.get() != null) {
            action.run();
            return;
        }
        CURRENT.set(new Pipeline());
        try {
            action.run();
        } finally {
            try {
                send();
            } finally {
                CURRENT.remove();
            }
        }
    }

    /**
     * @param sender sends commands together; must not throw, and is the same object each time
     * @return {@code false} if no pipeline is under way on this thread, so that the commands have to be sent at once
     */
    public static <C> boolean add(Consumer<List<C>> sender, List<? extends C> commands) {
        Pipeline pipeline = CURRENT.get();
        if (pipeline == null) {
            return false;
        }
        pipeline.commands.computeIfAbsent(sender, first -> new ArrayList<>()).addAll(commands);
        return true;
    }

    /** Sends what this thread has collected so far. */
    static void send() {
        Pipeline pipeline = CURRENT.get();
        while (pipeline != null && !pipeline.commands.isEmpty()) {
            Map<Consumer<?>, List<Object>> leaving = pipeline.commands;
            pipeline.commands = new LinkedHashMap<>();
            leaving.forEach(Pipeline::send);
        }
    }

    @SuppressWarnings("unchecked") // it was added with commands of its type
    private static <C> void send(Consumer<C> sender, List<Object> commands) {
        sender.accept((C) commands);
    }
}
