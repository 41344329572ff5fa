package io.distributionlock.observe;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListenerAdapter;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.ResolvableType;

/**
 * Knows whether anybody in an application listens to certain events, so that none is made for nobody. Looks again when the number
 * of listeners has changed; asking costs no more than comparing that.
 */
final class EventListeners {

    private static final String FRAMEWORK = "org.springframework.";

    private final ConfigurableApplicationContext context;
    private final List<Class<?>> types;
    private volatile @Nullable Known known;

    EventListeners(ConfigurableApplicationContext context, Class<?>... types) {
        this.context = context;
        this.types = List.of(types);
    }

    boolean listenTo(Class<?> type) {
        return heard().contains(type);
    }

    /** The types of events that somebody listens to. */
    Set<Class<?>> heard() {
        Known current = known;
        int listeners = listenerCount();
        if (current == null || current.listeners() != listeners) {
            current = new Known(listeners, types.stream().filter(this::isHeard).collect(Collectors.toSet()));
            known = current;
        }
        return current.heard();
    }

    private record Known(int listeners, Set<Class<?>> heard) {}

    private int listenerCount() {
        int count = 0;
        for (ApplicationContext each = context; each != null; each = each.getParent()) {
            count += listenersOf(each).size();
        }
        return count;
    }

    /** Events reach the listeners of parents as well. */
    private boolean isHeard(Class<?> type) {
        if (!context.isActive()) {
            return false;
        }
        ResolvableType event = ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, type);
        for (ApplicationContext each = context; each != null; each = each.getParent()) {
            boolean byListener = listenersOf(each).stream()
                    .anyMatch(listener -> !isOfFramework(listener.getClass()) && hears(listener, event));
            if (byListener || isHeardByBeanToCome(each, event)) {
                return true;
            }
        }
        return false;
    }

    private static Collection<ApplicationListener<?>> listenersOf(ApplicationContext each) {
        return each instanceof AbstractApplicationContext application
                ? application.getApplicationListeners()
                : List.of();
    }

    /** Some listeners of the framework pass on whatever comes, to others that are not there. */
    private static boolean isOfFramework(Class<?> listener) {
        return listener.getName().startsWith(FRAMEWORK)
                && !listener.getName().startsWith(FRAMEWORK + "context.event.ApplicationListenerMethodAdapter")
                && !listener.getName().startsWith(FRAMEWORK + "transaction.event.");
    }

    private static boolean hears(ApplicationListener<?> listener, ResolvableType event) {
        return new GenericApplicationListenerAdapter(listener).supportsEventType(event);
    }

    /** Lazy listeners are created when there is an event for them. */
    private static boolean isHeardByBeanToCome(ApplicationContext each, ResolvableType event) {
        if (!(each.getAutowireCapableBeanFactory() instanceof ConfigurableListableBeanFactory beans)) {
            return false;
        }
        return Stream.of(beans.getBeanNamesForType(ApplicationListener.class, true, false))
                .filter(name -> !beans.containsSingleton(name))
                .map(beans::getType)
                .anyMatch(type -> type == null || (!isOfFramework(type) && takes(type, event)));
    }

    private static boolean takes(Class<?> listener, ResolvableType event) {
        ResolvableType taken =
                ResolvableType.forClass(listener).as(ApplicationListener.class).getGeneric();
        return taken.resolve() == null || taken.isAssignableFrom(event);
    }
}
