package io.distributionlock.benchmarks.micro;

/** What is locked by a value inside of it. */
record Order(String code, Buyer buyer) {

    /** The buyer. */
    static final class Buyer {

        private final long number;

        Buyer(long number) {
            this.number = number;
        }

        /** Read by a path that names a getter. */
        public long getNumber() {
            return number;
        }
    }
}
