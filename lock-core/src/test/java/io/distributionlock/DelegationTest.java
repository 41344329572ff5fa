package io.distributionlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockingDetails;
import static org.mockito.Mockito.verify;

import io.distributionlock.DelegatingLockExecutor.DelegatingLease;
import io.distributionlock.internal.ImmediateListener;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;

class DelegationTest {

    @Test
    void everyCallReachesTheExecutor() throws ReflectiveOperationException {
        LockExecutor delegate = mock(LockExecutor.class);
        assertCallsReach(LockExecutor.class, new DelegatingLockExecutor(delegate) {}, delegate);
    }

    @Test
    void everyCallReachesTheLease() throws ReflectiveOperationException {
        Lease delegate = mock(Lease.class);
        DelegatingLease lease = new DelegatingLease(delegate) {};
        assertCallsReach(Lease.class, lease, delegate);
    }

    /** Not by way of a default of the interface, which would hide the method of the delegate. */
    private static void assertCallsReach(Class<?> type, Object decorator, Object delegate)
            throws ReflectiveOperationException {
        for (Method method : type.getMethods()) {
            int before = mockingDetails(delegate).getInvocations().size();
            Object[] arguments = Arrays.stream(method.getParameterTypes())
                    .map(parameter -> parameter == Consumer.class ? (Consumer<Lease>) lease -> {} : null)
                    .toArray();
            method.invoke(decorator, arguments);
            String expected = method.getName().equals("close") ? "release" : method.getName();
            assertThat(mockingDetails(delegate).getInvocations()).hasSize(before + 1);
            assertThat(mockingDetails(delegate).getInvocations())
                    .last()
                    .satisfies(call -> assertThat(call.getMethod().getName()).isEqualTo(expected));
        }
    }

    @Test
    void listenersReceiveTheDecoratorAndStayImmediate() {
        Lease delegate = mock(Lease.class);
        DelegatingLease lease = new DelegatingLease(delegate) {};
        Lease[] received = new Lease[1];
        ImmediateListener<Lease> immediate = lost -> received[0] = lost;
        lease.onLost(immediate);
        assertThat(listenerOf(delegate))
                .isInstanceOf(ImmediateListener.class)
                .satisfies(listener -> listener.accept(delegate));
        assertThat(received).containsExactly(lease);
    }

    @Test
    void ordinaryListenersStayOrdinary() {
        Lease delegate = mock(Lease.class);
        new DelegatingLease(delegate) {}.onLost(lost -> {});
        assertThat(listenerOf(delegate)).isNotInstanceOf(ImmediateListener.class);
    }

    @SuppressWarnings("unchecked")
    private static Consumer<Lease> listenerOf(Lease delegate) {
        ArgumentCaptor<Consumer<Lease>> listener = ArgumentCaptor.forClass(Consumer.class);
        verify(delegate).onLost(listener.capture());
        return listener.getValue();
    }
}
