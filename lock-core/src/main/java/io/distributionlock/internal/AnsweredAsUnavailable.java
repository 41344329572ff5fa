package io.distributionlock.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/**
 * As {@link AnsweredAsConflict}, with status 503.
 *
 * @hidden
 */
@Internal
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ResponseStatus(HttpStatus.SERVICE_UNAVAILABLE)
public @interface AnsweredAsUnavailable {}
