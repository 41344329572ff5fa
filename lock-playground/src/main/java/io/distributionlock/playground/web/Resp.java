package io.distributionlock.playground.web;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * The body of every answer.
 *
 * @param code 0 for success; see {@link RespCode}
 * @param message a text for people; the code of a message becomes its text in their language
 * @param data the result; null if there is none
 * @param <T> the type of the data
 */
public record Resp<T>(
        int code,
        @JsonSerialize(using = LocalizedText.class) String message,
        @Nullable T data) {

    /** A success. */
    public static <T> Resp<T> buildSuccess(T data) {
        return new Resp<>(RespCode.SUCCESS, "success", data);
    }

    /** A success. */
    public static <T> Resp<T> buildSuccess(String message, T data) {
        return new Resp<>(RespCode.SUCCESS, message, data);
    }

    /** The lock was busy; nothing was done. */
    public static <T> Resp<T> buildFail(String message) {
        return buildFail(RespCode.BUSY, message);
    }

    /** A failure with this code. */
    public static <T> Resp<T> buildFail(int code, String message) {
        return new Resp<>(code, message, null);
    }
}
