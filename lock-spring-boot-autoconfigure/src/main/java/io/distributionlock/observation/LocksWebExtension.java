package io.distributionlock.observation;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockTemplate;
import io.distributionlock.internal.Await;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import java.security.Principal;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * Releases a lock by force on {@code DELETE}. Present only if {@code distribution-lock.endpoint.force-release.enabled} is set.
 * Responds with 404 if the lock was not held, and with 503 if the backend failed.
 *
 * @hidden
 */
@Internal
@EndpointWebExtension(endpoint = LocksEndpoint.class)
public final class LocksWebExtension {

    private static final Log log = LogFactory.getLog(LocksWebExtension.class);

    private final Supplier<? extends Collection<LockTemplate>> templates;

    /** @param templates release the lock, each in its backend */
    public LocksWebExtension(Supplier<? extends Collection<LockTemplate>> templates) {
        this.templates = templates;
    }

    /** Releases the lock of this name in every backend. A slash in the name needs no escaping. */
    @DeleteOperation
    public WebEndpointResponse<Map<String, Object>> forceRelease(
            SecurityContext security, @Selector(match = Selector.Match.ALL_REMAINING) String... name) {
        return forceRelease(String.join("/", name), security);
    }

    /** Releases the lock of this name in every backend; for names that a path cannot contain. */
    @DeleteOperation
    public WebEndpointResponse<Map<String, Object>> forceRelease(String name, SecurityContext security) {
        Principal principal = security.getPrincipal();
        String user = principal == null ? "an anonymous user" : MessageText.of(principal.getName());
        boolean wasHeld = false;
        RuntimeException problem = null;
        for (LockTemplate template : templates.get()) {
            try {
                wasHeld |= Await.uninterruptibly(template.forceRelease(name));
            } catch (CompletionException e) {
                problem = expected(e);
            } catch (IllegalArgumentException e) {
                // No lock can have this name.
                return new WebEndpointResponse<>(
                        answer(name, false, e.getMessage()), WebEndpointResponse.STATUS_BAD_REQUEST);
            }
        }
        if (problem != null) {
            log.warn(
                    "Lock '" + MessageText.of(name) + "' could not be released by force through the endpoint, by "
                            + user,
                    problem);
        }
        if (problem == null || wasHeld) {
            log.warn("Lock '" + MessageText.of(name)
                    + (wasHeld
                            ? "' was released by force through the endpoint, by "
                            : "' was to be released by force through the endpoint, but was not held, by ")
                    + user);
        }
        return new WebEndpointResponse<>(
                answer(name, wasHeld, problem == null ? null : problem.getMessage()), status(wasHeld, problem));
    }

    private static RuntimeException expected(CompletionException e) {
        if (e.getCause() instanceof LockBackendException || e.getCause() instanceof UnsupportedOperationException) {
            return (RuntimeException) e.getCause();
        }
        throw e;
    }

    private static int status(boolean wasHeld, @Nullable RuntimeException problem) {
        if (wasHeld) {
            return WebEndpointResponse.STATUS_OK;
        }
        return problem == null ? WebEndpointResponse.STATUS_NOT_FOUND : WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE;
    }

    private static Map<String, Object> answer(String name, boolean released, @Nullable String problem) {
        return problem == null
                ? Map.of("name", name, "released", released)
                : Map.of("name", name, "released", released, "problem", problem);
    }
}
