package io.distributionlock.event;

import io.distributionlock.reflect.TypeHierarchy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.event.GenericApplicationListenerAdapter;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.ResolvableType;

/**
 * Publishes events to the listeners of an application and of its parents one by one, so that a listener that throws does not
 * keep events from the others. Spring itself stops at such a listener unless the application configures it otherwise; but the
 * exception has no caller here to go to.
 *
 * <p>Reads the listeners again when their number has changed. Thread-safe.
 */
final class IsolatingPublisher {

    private static final Log log = LogFactory.getLog(IsolatingPublisher.class);
    private static final String FRAMEWORK = "org.springframework.";

    private final ApplicationEventPublisher publisher;
    private final List<AbstractApplicationContext> contexts = new ArrayList<>();
    private volatile @Nullable Listeners known;

    /** @param publisher where to publish; if it is an application context, each of its listeners is called separately */
    IsolatingPublisher(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
        ApplicationContext context = publisher instanceof AbstractApplicationContext application ? application : null;
        for (; context != null; context = context.getParent()) {
            if (context instanceof AbstractApplicationContext application) {
                contexts.add(application);
            }
        }
    }

    /** Calls all listeners on the calling thread, and logs what they throw. */
    void publish(Object event) {
        if (contexts.isEmpty()) {
            publisher.publishEvent(event);
            return;
        }
        PayloadApplicationEvent<Object> wrapped = new PayloadApplicationEvent<>(contexts.get(0), event);
        Map<AbstractApplicationContext, ApplicationEventMulticaster> multicasters =
                listeners().multicasters();
        for (AbstractApplicationContext context : contexts) {
            if (context.isActive()) {
                multicasters
                        .computeIfAbsent(context, IsolatingPublisher::multicaster)
                        .multicastEvent(wrapped);
            }
        }
    }

    /** Whether events of one of these types would reach a listener, other than those of Spring that take whatever comes. */
    boolean hasListenerFor(Class<?>... types) {
        Map<Class<?>, Boolean> heard = listeners().heard();
        for (Class<?> type : types) {
            Boolean isHeard = heard.get(type);
            if (isHeard == null) {
                isHeard = isHeard(type);
                heard.put(type, isHeard);
            }
            if (isHeard) {
                return true;
            }
        }
        return false;
    }

    /** The listeners at a time when there were so many of them. */
    private record Listeners(
            int count,
            Map<AbstractApplicationContext, ApplicationEventMulticaster> multicasters,
            Map<Class<?>, Boolean> heard) {}

    private Listeners listeners() {
        int count = 0;
        for (AbstractApplicationContext context : contexts) {
            count += context.getApplicationListeners().size();
        }
        Listeners current = known;
        if (current == null || current.count() != count) {
            current = new Listeners(count, new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
            known = current;
        }
        return current;
    }

    private static ApplicationEventMulticaster multicaster(AbstractApplicationContext context) {
        SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster(context.getBeanFactory());
        multicaster.setErrorHandler(failure -> log.warn("A listener of lock events failed", failure));
        context.getApplicationListeners().forEach(multicaster::addApplicationListener);
        lazyListeners(context).forEach(multicaster::addApplicationListenerBean);
        return multicaster;
    }

    /** Lazy listeners are created when there is an event for them. */
    private static Stream<String> lazyListeners(AbstractApplicationContext context) {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        return Stream.of(beans.getBeanNamesForType(ApplicationListener.class, true, false))
                .filter(name -> !beans.containsSingleton(name));
    }

    private boolean isHeard(Class<?> type) {
        ResolvableType event = ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, type);
        return publisher instanceof AbstractApplicationContext application
                && application.isActive()
                && contexts.stream().anyMatch(context -> isHeard(event, context));
    }

    private static boolean isHeard(ResolvableType event, AbstractApplicationContext context) {
        boolean byListener = context.getApplicationListeners().stream()
                .anyMatch(listener -> !takesEverything(listener.getClass())
                        && new GenericApplicationListenerAdapter(listener).supportsEventType(event));
        return byListener
                || lazyListeners(context)
                        .map(context.getBeanFactory()::getType)
                        .anyMatch(type -> type == null || (!takesEverything(type) && takes(type, event)));
    }

    /** Some listeners of Spring pass on every event to others, which may not exist. */
    private static boolean takesEverything(Class<?> listener) {
        return TypeHierarchy.isOfSpring(listener)
                && !listener.getName().startsWith(FRAMEWORK + "context.event.ApplicationListenerMethodAdapter")
                && !listener.getName().startsWith(FRAMEWORK + "transaction.event.");
    }

    private static boolean takes(Class<?> listener, ResolvableType event) {
        ResolvableType taken =
                ResolvableType.forClass(listener).as(ApplicationListener.class).getGeneric();
        return taken.resolve() == null || taken.isAssignableFrom(event);
    }
}
