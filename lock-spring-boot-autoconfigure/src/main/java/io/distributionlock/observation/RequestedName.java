package io.distributionlock.observation;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;

/**
 * The name of a lock in the path of a request. Spring leaves out what follows a semicolon, and empty parts: such a path would be taken
 * for that of another lock. Spring MVC tells how it was sent, WebFlux and Jersey do not.
 */
final class RequestedName {

    /** Where Spring MVC keeps the path as it was sent: ServletRequestPathUtils.PATH_ATTRIBUTE, which WebFlux does not have. */
    private static final String PATH = "org.springframework.web.util.ServletRequestPathUtils.PATH";

    private static final boolean WEB = ClassUtils.isPresent(
            "org.springframework.web.context.request.RequestContextHolder", RequestedName.class.getClassLoader());

    private RequestedName() {}

    /**
     * @param parts of the path behind that of the endpoint, decoded
     * @throws IllegalArgumentException if the path names another lock than these parts
     */
    static String of(String... parts) {
        return joined(sent(), parts);
    }

    /**
     * As {@link #of}, for what must not concern another lock.
     *
     * @throws IllegalArgumentException also if nobody tells how the path was sent
     */
    static String certain(String... parts) {
        String sent = sent();
        if (sent == null) {
            throw misread("is not known as it was sent, except with Spring MVC");
        }
        return joined(sent, parts);
    }

    private static @Nullable String sent() {
        return WEB ? Sent.path() : null;
    }

    private static String joined(@Nullable String sent, String... parts) {
        if (sent != null) {
            for (String left : List.of(";", "//")) {
                if (sent.contains(left)) {
                    throw misread("contains '" + left + "'");
                }
            }
            if (sent.endsWith("/")) {
                throw misread("ends with '/'");
            }
        }
        return String.join("/", parts);
    }

    private static IllegalArgumentException misread(String what) {
        return new IllegalArgumentException(
                "The path " + what
                        + ", so it does not say which lock is meant. Pass the name as a parameter, encoded: ?name=a%3Bb for 'a;b'.");
    }

    /** Loaded only where Spring Web is. */
    private static final class Sent {

        static @Nullable String path() {
            RequestAttributes request = RequestContextHolder.getRequestAttributes();
            Object path = request == null ? null : request.getAttribute(PATH, RequestAttributes.SCOPE_REQUEST);
            return path instanceof org.springframework.http.server.RequestPath parsed ? parsed.value() : null;
        }
    }
}
