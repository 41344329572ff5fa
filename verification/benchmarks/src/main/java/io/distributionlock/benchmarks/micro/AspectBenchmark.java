package io.distributionlock.benchmarks.micro;

import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.aop.framework.ProxyFactory;

/**
 * What the advice costs around a method whose lock costs nothing: beside the bare method, and beside a proxy of Spring that only
 * passes the call on.
 */
@State(Scope.Thread)
public class AspectBenchmark {

    private final LockedService bare = new LockedService();
    private final LockedService passedOn = proxyThatPassesOn(bare);
    private final LockedApplication application = LockedApplication.start();
    private final LockedService locked = application.service();
    private final String order = LockedApplication.ORDER;
    private final Integer user = 1;
    private final Integer status = 2;

    private static LockedService proxyThatPassesOn(LockedService target) {
        ProxyFactory factory = new ProxyFactory(target);
        factory.setProxyTargetClass(true);
        // No lambda: the advice is to be of one class that nothing else uses, as the advice of the lock is.
        factory.addAdvice(new MethodInterceptor() {
            @Override
            @SuppressWarnings("NullAway") // null is what the method returns
            public Object invoke(MethodInvocation invocation) throws Throwable {
                return invocation.proceed();
            }
        });
        return (LockedService) factory.getProxy();
    }

    /** The first call of a method reads its annotations. */
    @Setup
    public void callOnce() {
        locked.update(order, user, status);
    }

    /** Ends the application. */
    @TearDown
    public void close() {
        application.close();
    }

    /** The method alone. */
    @Benchmark
    @Measures(
            workload = MicroWorkloads.ASPECT_OVERHEAD,
            variant = "blocking method",
            contestant = MicroWorkloads.BARE_CALL)
    public Integer bareCall() {
        return bare.update(order, user, status);
    }

    /** What Spring takes for any advice. */
    @Benchmark
    @Measures(
            workload = MicroWorkloads.ASPECT_OVERHEAD,
            variant = "blocking method",
            contestant = MicroWorkloads.NO_OP_PROXY)
    public Integer noOpProxy() {
        return passedOn.update(order, user, status);
    }

    /** The annotated method of a bean. */
    @Benchmark
    @Measures(workload = MicroWorkloads.ASPECT_OVERHEAD, variant = "blocking method", contestant = MicroWorkloads.LOCK)
    public Integer locked() {
        return locked.update(order, user, status);
    }

    /** The method alone. */
    @Benchmark
    @Measures(workload = MicroWorkloads.ASPECT_OVERHEAD, variant = "future", contestant = MicroWorkloads.BARE_CALL)
    public CompletableFuture<Integer> bareCallOfFuture() {
        return bare.updateLater(order, user, status);
    }

    /** What Spring takes for any advice. */
    @Benchmark
    @Measures(workload = MicroWorkloads.ASPECT_OVERHEAD, variant = "future", contestant = MicroWorkloads.NO_OP_PROXY)
    public CompletableFuture<Integer> noOpProxyOfFuture() {
        return passedOn.updateLater(order, user, status);
    }

    /** The annotated method of a bean, whose lock is held until its future has ended. */
    @Benchmark
    @Measures(workload = MicroWorkloads.ASPECT_OVERHEAD, variant = "future", contestant = MicroWorkloads.LOCK)
    public CompletableFuture<Integer> lockedFuture() {
        return locked.updateLater(order, user, status);
    }
}
