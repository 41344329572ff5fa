package io.distributionlock.autoconfigure;

import io.distributionlock.LockExecutor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Configuration;

/** Keeps locks in this process when the application asks for that. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(LockExecutor.class)
@ConditionalOnProperty(prefix = LockProperties.PREFIX, name = "executor", havingValue = "local")
class LocalLockConfiguration {}
