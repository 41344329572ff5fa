package io.distributionlock.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/**
 * Spring MVC and WebFlux answer an exception with this annotation with status 409, unless the application handles it. Without Spring
 * Web, the JVM ignores what is missing; so does javac, which would warn of an exception that is annotated with {@link ResponseStatus}
 * itself.
 *
 * @hidden
 */
@Internal
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ResponseStatus(HttpStatus.CONFLICT)
public @interface AnsweredAsConflict {}
