package io.distributionlock.playground.catalogue;

/**
 * The price of an item, in cents.
 *
 * @param net without tax
 * @param gross with tax; always {@link #grossOf} the net price, unless the price was read half-written
 */
public record Price(String item, long net, long gross) {

    private static final int TAX_PERCENT = 20;

    static long grossOf(long net) {
        return net + net * TAX_PERCENT / 100;
    }

    boolean isWhole() {
        return gross == grossOf(net);
    }
}
