package io.distributionlock.sample.web;

import org.jspecify.annotations.Nullable;

/**
 * The body of every answer.
 *
 * @param code 0 for success; see {@link RespCode}
 * @param message for people
 * @param data what was asked for, null if there is nothing to tell
 * @param <T> the type of the data
 */
public record Resp<T>(int code, String message, @Nullable T data) {

    /** It was done. */
    public static <T> Resp<T> buildSuccess(T data) {
        return new Resp<>(RespCode.SUCCESS, "success", data);
    }

    /** It was done. */
    public static <T> Resp<T> buildSuccess(String message, T data) {
        return new Resp<>(RespCode.SUCCESS, message, data);
    }

    /** It was not done because somebody else is at it. */
    public static <T> Resp<T> buildFail(String message) {
        return buildFail(RespCode.BUSY, message);
    }

    /** It was not done. */
    public static <T> Resp<T> buildFail(int code, String message) {
        return new Resp<>(code, message, null);
    }
}
