package io.distributionlock.observation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Calls observers one after the other. What one throws is logged, and affects neither the others nor the lock. */
final class Observers {

    private static final Log log = LogFactory.getLog(Observers.class);

    private Observers() {}

    /** What they answer, without those that answer {@code null} or throw. */
    static <O, A> List<A> ask(List<O> observers, Function<? super O, ? extends @Nullable A> question) {
        List<A> answers = new ArrayList<>();
        for (O observer : observers) {
            try {
                A answer = question.apply(observer);
                if (answer != null) {
                    answers.add(answer);
                }
            } catch (Throwable e) {
                log.warn("An observer of locks failed", e);
            }
        }
        return answers;
    }

    static <O> void notify(List<O> observers, Consumer<? super O> news) {
        ask(observers, observer -> {
            news.accept(observer);
            return null;
        });
    }
}
