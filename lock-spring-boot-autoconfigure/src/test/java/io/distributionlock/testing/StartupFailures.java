package io.distributionlock.testing;

import java.util.Objects;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/** What Spring Boot reports about a failed start. */
public final class StartupFailures {

    private StartupFailures() {}

    /** The analysis by the first analyzer that has one, among all that are registered. */
    public static FailureAnalysis analyze(Throwable failure) {
        ArgumentResolver arguments = ArgumentResolver.of(BeanFactory.class, new DefaultListableBeanFactory())
                .and(Environment.class, new StandardEnvironment());
        FailureHandler leaveOut = (type, name, cause) -> {};
        return SpringFactoriesLoader.forDefaultResourceLocation(StartupFailures.class.getClassLoader())
                .load(FailureAnalyzer.class, arguments, leaveOut)
                .stream()
                .map(analyzer -> analyzer.analyze(failure))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new AssertionError("No analysis of " + failure));
    }
}
