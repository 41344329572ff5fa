package io.distributionlock.faults;

import io.distributionlock.LockTemplate;
import io.distributionlock.autoconfigure.DistributionLockAutoConfiguration;
import io.distributionlock.integration.DistributionLockRegistry;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/**
 * A node of an application that elects a leader, twice: by the registry of this library and by Spring Integration's own. Tells of
 * what became of each as {@code event REGISTRY granted|revoked MILLIS}.
 */
final class LeaderProcess {

    static final String ROLE = "leader";

    private static final int MAX_ATTEMPTS = 15;

    private static final ParentLink PARENT = new ParentLink();

    private LeaderProcess() {}

    /** @param arguments the port of Redis and the lease in milliseconds */
    public static void main(String[] arguments) {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(Map.of(
                        "spring.data.redis.port",
                        arguments[0],
                        "distribution-lock.defaults.lease-time",
                        arguments[1] + "ms"))
                .run();
        PARENT.say("ready");
        PARENT.listen(command -> obey(command, context));
    }

    private static void obey(String command, ConfigurableApplicationContext context) {
        Map<String, LockRegistryLeaderInitiator> initiators = context.getBeansOfType(LockRegistryLeaderInitiator.class);
        switch (command) {
            case "start" -> initiators.values().forEach(LockRegistryLeaderInitiator::start);
            case "stop" -> initiators.values().forEach(LockRegistryLeaderInitiator::stop);
            case "force" -> force(context.getBean(LockTemplate.class));
            case "close" -> context.close();
            default -> throw new IllegalArgumentException(command);
        }
        PARENT.say("done " + command);
    }

    /** On a loaded machine an answer may come too late. */
    private static void force(LockTemplate locks) {
        for (int attempt = 1; true; attempt++) {
            try {
                locks.forceRelease(ROLE).join();
                return;
            } catch (CompletionException e) {
                if (attempt == MAX_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static final class Node extends AbstractCandidate {

        private final String registry;

        Node(String registry) {
            super(registry, ROLE);
            this.registry = registry;
        }

        @Override
        public void onGranted(Context context) {
            say("granted");
        }

        @Override
        public void onRevoked(Context context) {
            say("revoked");
        }

        private void say(String what) {
            PARENT.say("event " + registry + " " + what + " " + System.currentTimeMillis());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({RedisAutoConfiguration.class, DistributionLockAutoConfiguration.class})
    static class Application {

        @Bean
        LockRegistryLeaderInitiator ours(LockTemplate template) {
            return initiator(new LockRegistryLeaderInitiator(new DistributionLockRegistry(template), new Node("ours")));
        }

        @Bean
        RedisLockRegistry theirRegistry(RedisConnectionFactory factory, Environment environment) {
            String lease = environment.getRequiredProperty("distribution-lock.defaults.lease-time");
            return new RedisLockRegistry(factory, "theirs", Long.parseLong(lease.replace("ms", "")));
        }

        @Bean
        LockRegistryLeaderInitiator theirs(RedisLockRegistry theirRegistry) {
            return initiator(new LockRegistryLeaderInitiator(theirRegistry, new Node("theirs")));
        }

        private static LockRegistryLeaderInitiator initiator(LockRegistryLeaderInitiator initiator) {
            initiator.setAutoStartup(false);
            return initiator;
        }
    }
}
