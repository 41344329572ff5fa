package io.distributionlock.monitor;

import io.distributionlock.internal.MessageText;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.GlobalObservationConvention;
import io.micrometer.observation.Observation;
import java.util.Locale;

/**
 * The names and tags of {@link LockObservation}. To change them, declare a bean that extends this class or implements
 * {@code GlobalObservationConvention<LockObservationContext>}.
 */
public class DefaultLockObservationConvention implements GlobalObservationConvention<LockObservationContext> {

    /** For subclasses. */
    public DefaultLockObservationConvention() {}

    @Override
    public boolean supportsContext(Observation.Context context) {
        return context instanceof LockObservationContext;
    }

    @Override
    public String getContextualName(LockObservationContext context) {
        String verb = context.observation() == LockObservation.WAIT ? "wait for" : "hold";
        return verb + " lock " + key(context);
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(LockObservationContext context) {
        return KeyValues.of(
                LockObservation.Tag.KEY.withValue(key(context)),
                LockObservation.Tag.KIND.withValue(
                        context.request().kind().name().toLowerCase(Locale.ROOT)),
                LockObservation.Tag.OUTCOME.withValue(context.outcome()));
    }

    private static String key(LockObservationContext context) {
        String label = context.request().label();
        return label.isBlank() ? LockObservationContext.UNKNOWN : MessageText.of(label);
    }
}
