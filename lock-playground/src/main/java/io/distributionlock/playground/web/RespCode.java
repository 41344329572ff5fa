package io.distributionlock.playground.web;

/** The values of {@link Resp#code()}. */
public final class RespCode {

    /** Done. HTTP 200. */
    public static final int SUCCESS = 0;

    /** The lock is busy; nothing was done, try again. HTTP 200. */
    public static final int BUSY = 1;

    /** The request cannot be fulfilled as it is; nothing was done. HTTP 4xx. */
    public static final int REJECTED = 2;

    /** Redis or the database cannot be reached, or another holder came in between; nothing was done. HTTP 503. */
    public static final int UNAVAILABLE = 3;

    /** A bug, or a lock that was lost during the work; see the log. HTTP 500. */
    public static final int UNEXPECTED = 4;

    private RespCode() {}
}
