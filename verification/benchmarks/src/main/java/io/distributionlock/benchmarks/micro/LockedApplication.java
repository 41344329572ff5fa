package io.distributionlock.benchmarks.micro;

import io.distributionlock.LockExecutor;
import io.distributionlock.autoconfigure.DistributionLockAutoConfiguration;
import io.distributionlock.key.LockInvocation;
import io.distributionlock.key.LockKeyResolver;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** An application as the auto-configuration makes it, except for where its locks are kept. */
final class LockedApplication implements AutoCloseable {

    static final String ORDER = "A1001";
    static final String NAME = LockedService.KEY + ":" + ORDER;

    private final ConfigurableApplicationContext context;

    private LockedApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    static LockedApplication start() {
        return new LockedApplication(application().run());
    }

    private static SpringApplicationBuilder application() {
        return new SpringApplicationBuilder(Beans.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .properties("logging.level.root=warn");
    }

    LockedService service() {
        return context.getBean(LockedService.class);
    }

    LockKeyResolver standardKeyResolver() {
        return LockKeyResolver.standard(context.getBeanFactory());
    }

    /** What a resolver of names is given when a method of the service is called like this. */
    static LockInvocation invocationOf(Consumer<LockedService> call) {
        AtomicReference<@Nullable LockInvocation> seen = new AtomicReference<>();
        SpringApplicationBuilder application = application()
                .initializers((GenericApplicationContext context) ->
                        context.registerBean("listeningKeyResolver", LockKeyResolver.class, () -> invocation -> {
                            seen.set(invocation);
                            return List.of(NAME);
                        }));
        try (ConfigurableApplicationContext context = application.run()) {
            call.accept(context.getBean(LockedService.class));
        }
        LockInvocation invocation = seen.get();
        if (invocation == null) {
            throw new IllegalStateException("The call was not locked: call an annotated method.");
        }
        return invocation;
    }

    @Override
    public void close() {
        context.close();
    }

    /** What an application declares itself. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({AopAutoConfiguration.class, DistributionLockAutoConfiguration.class})
    static class Beans {

        @Bean
        LockExecutor lockExecutor() {
            return new GrantingExecutor(NAME);
        }

        @Bean
        LockedService lockedService() {
            return new LockedService();
        }
    }
}
