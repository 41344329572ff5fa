package io.distributionlock.observe;

import io.distributionlock.LockBackendException;
import io.distributionlock.LockTemplate;
import java.security.Principal;
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
 * Lets operations free a lock by force, through {@code DELETE} on the endpoint. There only if
 * {@code distribution-lock.endpoint.force-release.enabled} is set. Answers 404 if nobody held the lock, 503 if the backend failed.
 */
@EndpointWebExtension(endpoint = LocksEndpoint.class)
public final class LocksWebExtension {

    private static final Log log = LogFactory.getLog(LocksWebExtension.class);

    private final Supplier<LockTemplate> template;

    /** @param template frees the locks */
    public LocksWebExtension(Supplier<LockTemplate> template) {
        this.template = template;
    }

    /** Frees the lock of this name. A slash in it may stand as it is. */
    @DeleteOperation
    public WebEndpointResponse<Map<String, Object>> forceRelease(
            SecurityContext security, @Selector(match = Selector.Match.ALL_REMAINING) String... name) {
        return forceRelease(String.join("/", name), security);
    }

    /** Frees the lock of this name; for names that a path cannot hold. */
    @DeleteOperation
    public WebEndpointResponse<Map<String, Object>> forceRelease(String name, SecurityContext security) {
        Principal principal = security.getPrincipal();
        String who = principal == null ? "somebody who did not log in" : principal.getName();
        try {
            boolean wasHeld = template.get().forceRelease(name).join();
            log.warn("Lock '" + name + "' was released by force through the endpoint, by " + who
                    + (wasHeld ? "" : "; nobody held it"));
            return new WebEndpointResponse<>(
                    answer(name, wasHeld, null),
                    wasHeld ? WebEndpointResponse.STATUS_OK : WebEndpointResponse.STATUS_NOT_FOUND);
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof LockBackendException failure)) {
                throw e;
            }
            log.warn("Lock '" + name + "' could not be released by force through the endpoint, by " + who, failure);
            return new WebEndpointResponse<>(
                    answer(name, false, failure.getMessage()), WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
        }
    }

    private static Map<String, Object> answer(String name, boolean released, @Nullable String problem) {
        return problem == null
                ? Map.of("name", name, "released", released)
                : Map.of("name", name, "released", released, "problem", problem);
    }
}
