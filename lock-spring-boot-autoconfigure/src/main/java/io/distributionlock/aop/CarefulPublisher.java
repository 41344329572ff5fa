package io.distributionlock.aop;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.ApplicationEventMulticaster;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.context.support.AbstractApplicationContext;

/**
 * Publishes events so that a listener that throws keeps nobody else from hearing them. Spring itself asks no further listener then,
 * unless the application has told it otherwise; an event of a lock has nobody to whom the exception could go.
 *
 * <p>For one thread at a time.
 */
final class CarefulPublisher {

    private static final Log log = LogFactory.getLog(CarefulPublisher.class);

    private final ApplicationEventPublisher publisher;
    private final Map<ApplicationContext, Listeners> known = new HashMap<>();

    /** @param publisher whose listeners are told; those of a context one by one */
    CarefulPublisher(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    /** Tells all listeners on the calling thread. What they throw is logged. */
    void publish(Object event) {
        if (!(publisher instanceof AbstractApplicationContext context)) {
            publisher.publishEvent(event);
            return;
        }
        PayloadApplicationEvent<Object> wrapped = new PayloadApplicationEvent<>(context, event);
        // As Spring does it: those of the parents hear it too.
        for (ApplicationContext each = context; each != null; each = each.getParent()) {
            if (each instanceof AbstractApplicationContext application && application.isActive()) {
                listenersOf(application).multicaster().multicastEvent(wrapped);
            }
        }
    }

    private record Listeners(int count, ApplicationEventMulticaster multicaster) {}

    private Listeners listenersOf(AbstractApplicationContext context) {
        int count = context.getApplicationListeners().size();
        Listeners listeners = known.get(context);
        if (listeners == null || listeners.count() != count) {
            listeners = new Listeners(count, multicaster(context));
            known.put(context, listeners);
        }
        return listeners;
    }

    private static ApplicationEventMulticaster multicaster(AbstractApplicationContext context) {
        ConfigurableListableBeanFactory beans = context.getBeanFactory();
        SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster(beans);
        multicaster.setErrorHandler(failure -> log.warn("A listener of a lock's event failed", failure));
        context.getApplicationListeners().forEach(multicaster::addApplicationListener);
        // Lazy ones are created when there is an event for them.
        Stream.of(beans.getBeanNamesForType(ApplicationListener.class, true, false))
                .filter(name -> !beans.containsSingleton(name))
                .forEach(multicaster::addApplicationListenerBean);
        return multicaster;
    }
}
