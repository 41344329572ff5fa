package io.distributionlock.redis.message;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LettuceSubscriptionTest {

    private static final Subscription.Receiver NOBODY = new Subscription.Receiver() {
        @Override
        public void received(byte[] message) {}

        @Override
        public void subscribed() {}

        @Override
        public void lost() {}
    };

    /** As while the context is paused: it is tried again, by another client. */
    @Test
    void aClientThatWasShutDownIsNotTakenForOneThatCannotSubscribe() {
        ClientResources resources = DefaultClientResources.create();
        RedisClient client = RedisClient.create(resources, "redis://127.0.0.1:1");
        client.shutdown(0, 0, TimeUnit.SECONDS);
        resources.shutdown(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
        assertThatThrownBy(() -> LettuceSubscription.classic(client, "channel", NOBODY))
                .matches(failure -> !MessageTransport.isRefusal(failure));
    }

    /** It does not know the address of a server. */
    @Test
    void aClientOfAStaticListCannotSubscribe() {
        ClientResources resources = DefaultClientResources.create();
        RedisClient client = RedisClient.create(resources);
        assertThatThrownBy(() -> LettuceSubscription.classic(client, "channel", NOBODY))
                .matches(MessageTransport::isRefusal);
        client.shutdown(0, 0, TimeUnit.SECONDS);
        resources.shutdown(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
