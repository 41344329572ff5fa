package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.quorum.QuorumStartupCheck;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.redis.RedisStartupCheck;
import java.time.Duration;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.context.SmartLifecycle;

/** Fails the start if locks cannot be acquired. Runs once the executors have started, before the web server accepts requests. */
final class LockStartCheck implements SmartLifecycle {

    private final ListableBeanFactory beanFactory;
    private final LockProperties properties;
    private volatile boolean running;

    LockStartCheck(ListableBeanFactory beanFactory, LockProperties properties) {
        this.beanFactory = beanFactory;
        this.properties = properties;
    }

    @Override
    public void start() {
        if (properties.enabled()) {
            beanFactory.getBeansOfType(RedisLockExecutor.class).forEach(this::check);
            beanFactory.getBeansOfType(QuorumLockExecutor.class).forEach(this::check);
        }
        running = true;
    }

    private void check(String bean, LockExecutor executor) {
        boolean byDefault = bean.equals(LockExecutorConfigurations.EXECUTOR);
        String prefix = byDefault ? "" : "Executor '" + bean + "': ";
        String ofRedis = byDefault ? "spring.data.redis.*" : "the bean '" + bean + "'";
        String addresses = executor instanceof QuorumLockExecutor ? "distribution-lock.quorum.nodes" : ofRedis;
        Duration longest = properties.redis().commandTimeout();
        if (executor instanceof QuorumLockExecutor quorum) {
            new QuorumStartupCheck(prefix, quorum, addresses, longest).run();
        } else {
            new RedisStartupCheck(prefix, executor, addresses, longest).run();
        }
    }

    @Override
    public void stop() {
        running = false;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return LockExecutorLifecycle.PHASE + 1;
    }
}
