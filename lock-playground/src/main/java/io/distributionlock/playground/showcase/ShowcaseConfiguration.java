package io.distributionlock.playground.showcase;

import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;

/** The showcase has scheduled jobs. */
@Configuration(proxyBeanMethods = false)
@EnableScheduling
class ShowcaseConfiguration {}
