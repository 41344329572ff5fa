package io.distributionlock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributionlock.backend.AcquireReply;
import io.distributionlock.backend.CommandPort.Renewal;
import io.distributionlock.backend.EngineSettings;
import io.distributionlock.backend.ReleaseReply;
import io.distributionlock.backend.RenewReply;
import io.distributionlock.redis.message.MessageMode;
import io.distributionlock.redis.message.MessageSettings;
import io.distributionlock.testing.RedisConnections;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** What one process of an application has: a connection factory of its own, and a port on it whose calls wait for the answer. */
final class TestProcess implements AutoCloseable {

    static final String PREFIX = "distribution-lock";

    /** For how long a process counts as alive, and a granted lock stays: longer than a busy machine pauses between two commands. */
    static final Duration WINDOW = Duration.ofSeconds(15);

    final LettuceConnectionFactory factory;
    final RedisCommandPort port;
    final RecordingListener told = new RecordingListener();

    TestProcess(int redisPort, String instance) {
        this(RedisConnections.to(redisPort), instance);
    }

    /** @param factory is ended with the process */
    TestProcess(LettuceConnectionFactory factory, String instance) {
        this(factory, settings(instance), MessageSettings.STANDARD);
    }

    TestProcess(int redisPort, String instance, UnaryOperator<RedisPortSettings> change) {
        this(
                RedisConnections.to(redisPort),
                change.apply(RedisPortSettings.of(PREFIX, instance)),
                MessageSettings.STANDARD);
    }

    TestProcess(LettuceConnectionFactory factory, String instance, MessageMode messages) {
        this(factory, settings(instance), new MessageSettings(messages, MessageSettings.MAX_INTERVAL));
    }

    private TestProcess(LettuceConnectionFactory factory, RedisPortSettings settings, MessageSettings messages) {
        this.factory = factory;
        this.port = new RedisCommandPort(new StringRedisTemplate(factory), settings, ReplicaAcks.NONE, messages);
        port.attach(told);
    }

    /** For an engine on a busy machine, on which an answer may take its time. */
    static EngineSettings patient(String instance) {
        return EngineSettings.standard(instance).withCommandTimeout(Duration.ofSeconds(90));
    }

    static RedisPortSettings settings(String instance) {
        return window(WINDOW).apply(RedisPortSettings.of(PREFIX, instance));
    }

    /** Settings in which a process counts as alive, and a granted lock stays, for this long. */
    static UnaryOperator<RedisPortSettings> window(Duration window) {
        return settings -> new RedisPortSettings(settings.keyPrefix(), settings.instance(), window);
    }

    AcquireReply acquire(String name, String claim, long leaseMillis, boolean wait) {
        return answer(port.acquire(name, claim, leaseMillis, wait));
    }

    AcquireReply.Ok acquireOk(String name, String claim, long leaseMillis) {
        AcquireReply reply = acquire(name, claim, leaseMillis, true);
        assertThat(reply).isInstanceOf(AcquireReply.Ok.class);
        return (AcquireReply.Ok) reply;
    }

    AcquireReply.Busy acquireBusy(String name, String claim, long leaseMillis) {
        AcquireReply reply = acquire(name, claim, leaseMillis, true);
        assertThat(reply).isInstanceOf(AcquireReply.Busy.class);
        return (AcquireReply.Busy) reply;
    }

    ReleaseReply release(String name, String claim) {
        return answer(port.release(name, claim, false, 0));
    }

    ReleaseReply tombstone(String name, String claim) {
        return answer(port.release(name, claim, true, 0));
    }

    RenewReply renew(String name, String claim, long leaseMillis) {
        return answer(port.renew(List.of(renewal(name, claim, leaseMillis))).get(0));
    }

    /** As the engine asks: it knows which claims read. */
    static Renewal renewal(String name, String claim, long leaseMillis) {
        return new Renewal(name, claim, leaseMillis, claim.matches(".*:[rp][\\d-]+"), true);
    }

    static <T> T answer(CompletableFuture<T> future) {
        try {
            return future.get(60, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new AssertionError("No answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        port.close();
        factory.destroy();
    }
}
