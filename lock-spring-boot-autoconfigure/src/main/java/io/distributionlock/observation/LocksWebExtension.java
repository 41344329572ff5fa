package io.distributionlock.observation;

import io.distributionlock.LockTemplate;
import io.distributionlock.internal.Await;
import io.distributionlock.internal.Internal;
import io.distributionlock.internal.MessageText;
import java.security.Principal;
import java.util.Collection;
import java.util.LinkedHashMap;
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
 * Responds with 404 if the lock was not held, with 400 if no lock can have the name, and with 503 if the backend failed.
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

    /**
     * Releases the lock of this name in every backend, with Spring MVC. A slash in the name needs no escaping.
     *
     * @param name must not be given here: it is a second name
     */
    @DeleteOperation
    public WebEndpointResponse<Map<String, Object>> forceRelease(
            SecurityContext security,
            @org.springframework.lang.Nullable @Nullable String name,
            @Selector(match = Selector.Match.ALL_REMAINING) String... path) {
        String asked;
        try {
            asked = RequestedName.certain(path);
            if (name != null) {
                throw new IllegalArgumentException(
                        "The request names two locks, in its path and as a parameter. Leave one of them out.");
            }
        } catch (IllegalArgumentException misread) {
            return new WebEndpointResponse<>(
                    Map.of("released", false, "problem", String.valueOf(misread.getMessage())),
                    WebEndpointResponse.STATUS_BAD_REQUEST);
        }
        return forceRelease(asked, security);
    }

    /** Releases the lock of this name in every backend; for names that a path cannot contain. */
    @DeleteOperation
    public WebEndpointResponse<Map<String, Object>> forceRelease(String name, SecurityContext security) {
        boolean released = false;
        RuntimeException problem = null;
        for (LockTemplate template : templates.get()) {
            try {
                released |= Await.uninterruptibly(template.forceRelease(name));
            } catch (IllegalArgumentException impossibleName) {
                problem = impossibleName;
            } catch (CompletionException e) {
                problem = LocksEndpoint.expected(e);
            }
        }
        Principal caller = security.getPrincipal();
        log.warn(
                "Lock '" + MessageText.of(name) + "' "
                        + (released ? "was" : problem == null ? "was not held, and not" : "could not be")
                        + " released by force through the endpoint, by "
                        + (caller == null ? "an anonymous user" : MessageText.of(caller.getName())),
                problem);
        Map<String, Object> answer = new LinkedHashMap<>(Map.of("name", name, "released", released));
        if (problem != null) {
            answer.put("problem", String.valueOf(problem.getMessage()));
        }
        return new WebEndpointResponse<>(answer, status(released, problem));
    }

    private static int status(boolean released, @Nullable RuntimeException problem) {
        if (released) {
            return WebEndpointResponse.STATUS_OK;
        }
        if (problem == null) {
            return WebEndpointResponse.STATUS_NOT_FOUND;
        }
        return problem instanceof IllegalArgumentException
                ? WebEndpointResponse.STATUS_BAD_REQUEST
                : WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE;
    }
}
