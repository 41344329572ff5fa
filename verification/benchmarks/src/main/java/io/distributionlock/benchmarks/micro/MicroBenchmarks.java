package io.distributionlock.benchmarks.micro;

import io.distributionlock.benchmarks.measurement.Measurement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs the microbenchmarks: the time and the bytes of a call, one value of each for each round. */
public final class MicroBenchmarks {

    private static final String ALLOCATED_BY_CALL = "gc.alloc.rate.norm";

    private MicroBenchmarks() {}

    /**
     * Measures. Needs no Redis. Forks JVMs that have the class path of this one, so it must not be one of nested jars.
     *
     * @throws IllegalStateException if a benchmark fails
     */
    public static List<Measurement> run(MicroOptions options) {
        try {
            return measurements(new Runner(options(options)).run());
        } catch (RunnerException e) {
            throw new IllegalStateException("The microbenchmarks failed: " + e.getMessage(), e);
        }
    }

    /** {@code --quick} for little time, and a regular expression to run only some. */
    public static void main(String[] arguments) {
        List<String> words = List.of(arguments);
        MicroOptions options = words.contains("--quick") ? MicroOptions.quick() : MicroOptions.thorough();
        for (String word : words) {
            options = word.startsWith("--") ? options : options.only(word);
        }
        run(options).forEach(System.out::println);
    }

    private static Options options(MicroOptions options) {
        return new OptionsBuilder()
                .include(MicroBenchmarks.class.getPackageName().replace(".", "\\.") + "\\..*" + options.only())
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .addProfiler(GCProfiler.class)
                .forks(options.rounds())
                .warmupIterations(options.warmups())
                .warmupTime(TimeValue.milliseconds(options.millis()))
                .measurementIterations(options.iterations())
                .measurementTime(TimeValue.milliseconds(options.millis()))
                .shouldFailOnError(true)
                .build();
    }

    private static List<Measurement> measurements(Collection<RunResult> results) {
        List<Measurement> all = new ArrayList<>();
        for (RunResult result : results) {
            Measures what = whatIsMeasured(result.getParams().getBenchmark());
            int round = 0;
            for (BenchmarkResult ofRound : result.getBenchmarkResults()) {
                round++;
                all.add(measurement(what, "time", "ns/op", round, ofRound.getPrimaryResult()));
                all.add(measurement(what, "allocated", "B/op", round, allocation(ofRound)));
            }
        }
        return all;
    }

    private static Measurement measurement(Measures what, String metric, String unit, int round, Result<?> result) {
        return new Measurement(
                what.workload(), what.variant(), what.contestant(), metric, unit, round, result.getScore());
    }

    /** JMH has changed what stands before the name. */
    private static Result<?> allocation(BenchmarkResult result) {
        for (Result<?> each : result.getSecondaryResults().values()) {
            if (each.getLabel().endsWith(ALLOCATED_BY_CALL)) {
                return each;
            }
        }
        throw new IllegalStateException("JMH reported no allocation, only "
                + result.getSecondaryResults().keySet() + ".");
    }

    private static Measures whatIsMeasured(String benchmark) {
        int dot = benchmark.lastIndexOf('.');
        try {
            for (Method method : Class.forName(benchmark.substring(0, dot)).getDeclaredMethods()) {
                if (method.getName().equals(benchmark.substring(dot + 1))) {
                    Measures measures = method.getAnnotation(Measures.class);
                    if (measures != null) {
                        return measures;
                    }
                }
            }
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("JMH names a benchmark that does not exist: " + benchmark, e);
        }
        throw new IllegalStateException(benchmark + " lacks @Measures, which says what it measures.");
    }
}
