package io.distributionlock.sample;

/**
 * The body of every answer.
 *
 * @param code 0: done; 1: busy, nothing was done, try again (HTTP 200); 2: the request is wrong (4xx); 3: the lock cannot be taken now
 *     (503); 4: see the log (500); 5: repeated, look whether the first call has done it (200)
 * @param data the result, or null
 */
public record Resp<T>(int code, String message, T data) {

    static <T> Resp<T> buildSuccess(String message, T data) {
        return new Resp<>(0, message, data);
    }

    static <T> Resp<T> buildFail(int code, String message) {
        return new Resp<>(code, message, null);
    }
}
