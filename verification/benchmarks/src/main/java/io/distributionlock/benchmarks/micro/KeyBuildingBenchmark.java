package io.distributionlock.benchmarks.micro;

import io.distributionlock.key.LockInvocation;
import io.distributionlock.key.LockKeyResolver;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What it costs to make the name of a lock from the arguments of a call. */
@State(Scope.Thread)
public class KeyBuildingBenchmark {

    private final LockedApplication application = LockedApplication.start();
    private final LockKeyResolver names = application.standardKeyResolver();
    private final String code = LockedApplication.ORDER;
    private final Order order = new Order(code, new Order.Buyer(4711));
    private final LockInvocation one = LockedApplication.invocationOf(service -> service.update(code, 1, 2));
    private final LockInvocation three = LockedApplication.invocationOf(service -> service.byThree(code, 4711, 2L));
    private final LockInvocation accessor = LockedApplication.invocationOf(service -> service.byAccessor(order));
    private final LockInvocation getter = LockedApplication.invocationOf(service -> service.byNestedGetter(order));
    private final LockInvocation expression = LockedApplication.invocationOf(service -> service.byExpression(order));

    /** Ends the application. */
    @TearDown
    public void close() {
        application.close();
    }

    /** {@code updateOrderStatus:A1001}. */
    @Benchmark
    @Measures(workload = MicroWorkloads.KEY_BUILDING, variant = "1 parameter", contestant = MicroWorkloads.LOCK)
    public List<String> oneParameter() {
        return names.resolve(one);
    }

    /** The least that the same name costs. */
    @Benchmark
    @Measures(workload = MicroWorkloads.KEY_BUILDING, variant = "1 parameter", contestant = "string concatenation")
    public List<String> oneParameterByHand() {
        return List.of(LockedService.KEY + ":" + code);
    }

    /** {@code updateOrderStatus:A1001:4711:2}. */
    @Benchmark
    @Measures(workload = MicroWorkloads.KEY_BUILDING, variant = "3 parameters", contestant = MicroWorkloads.LOCK)
    public List<String> threeParameters() {
        return names.resolve(three);
    }

    /** A path to a component of a record. */
    @Benchmark
    @Measures(workload = MicroWorkloads.KEY_BUILDING, variant = "path to a component", contestant = MicroWorkloads.LOCK)
    public List<String> pathToComponent() {
        return names.resolve(accessor);
    }

    /** A path of two steps, the last one a getter. */
    @Benchmark
    @Measures(workload = MicroWorkloads.KEY_BUILDING, variant = "path of two steps", contestant = MicroWorkloads.LOCK)
    public List<String> pathOfTwoSteps() {
        return names.resolve(getter);
    }

    /** An expression of Spring's language in the key. */
    @Benchmark
    @Measures(workload = MicroWorkloads.KEY_BUILDING, variant = "SpEL expression", contestant = MicroWorkloads.LOCK)
    public List<String> expression() {
        return names.resolve(expression);
    }
}
