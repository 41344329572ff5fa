package io.distributionlock.playground;

/** The paths of the application: all that tests know of them. */
public final class Endpoints {

    /** {@code server.servlet.context-path}. */
    public static final String ROOT = "/api";

    public static final String ORDERS = "/v1/test/orders";

    public static final String UPDATE = "/v1/test/updateOrderStatus";

    private Endpoints() {}
}
