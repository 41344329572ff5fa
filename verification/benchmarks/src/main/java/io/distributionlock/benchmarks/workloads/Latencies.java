package io.distributionlock.benchmarks.workloads;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Times in nanoseconds, from 1 ns to 2 minutes, to within 1 %. Recorded by one thread. */
final class Latencies {

    private static final long MAX = 120_000_000_000L;
    private static final int DIGITS = 2;

    private final Histogram histogram = new Histogram(1, MAX, DIGITS);

    void record(long nanos) {
        histogram.recordValue(Math.max(1, Math.min(nanos, MAX)));
    }

    void add(Latencies others) {
        histogram.add(others.histogram);
    }

    long count() {
        return histogram.getTotalCount();
    }

    double micros(double percentile) {
        return count() == 0 ? 0 : histogram.getValueAtPercentile(percentile) / 1_000.0;
    }

    double mostMicros() {
        return histogram.getMaxValue() / 1_000.0;
    }

    String encode() {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(buffer.array(), length));
    }

    static Latencies decode(String text) {
        try {
            Latencies latencies = new Latencies();
            latencies.histogram.add(Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(text)), MAX));
            return latencies;
        } catch (DataFormatException broken) {
            throw new IllegalArgumentException("Not an encoded histogram", broken);
        }
    }
}
