package io.distributionlock.sample.showcase.masters;

import java.nio.file.Path;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.StringUtils;

/** Starts the servers before the executor connects to them, and leaves them after it has disconnected. */
@Configuration(proxyBeanMethods = false)
class MastersConfiguration {

    private static final String MASTERS = "masters";
    private static final String EXECUTOR = "mastersLockExecutor";

    @Bean(MASTERS)
    Masters masters(MastersProperties properties, @Value("${sample.data-directory:./data}") Path dataDirectory) {
        return Masters.start(properties, dataDirectory);
    }

    @Bean
    static BeanFactoryPostProcessor mastersBeforeTheirExecutor() {
        return beans -> {
            BeanDefinition executor = beans.getBeanDefinition(EXECUTOR);
            executor.setDependsOn(StringUtils.addStringToArray(executor.getDependsOn(), MASTERS));
        };
    }
}
