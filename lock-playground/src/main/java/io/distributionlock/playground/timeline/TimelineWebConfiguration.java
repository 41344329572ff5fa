package io.distributionlock.playground.timeline;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

@Configuration(proxyBeanMethods = false)
class TimelineWebConfiguration implements WebMvcConfigurer {

    private final VisitInterceptor visits;

    TimelineWebConfiguration(VisitInterceptor visits) {
        this.visits = visits;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(visits)
                .addPathPatterns("/v1/**")
                .excludePathPatterns(
                        "/v1/timeline/**",
                        "/v1/bursts/**",
                        "/v1/scenarios/**",
                        "/v1/freezes/**",
                        "/v1/instances/**",
                        "/v1/masters/**",
                        "/v1/redis/**");
    }
}
