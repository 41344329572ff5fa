package io.distributionlock.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.distributionlock.Lease;
import io.distributionlock.LockDefaults;
import io.distributionlock.LockExecutor;
import io.distributionlock.LockKind;
import io.distributionlock.LockOutcome;
import io.distributionlock.LockOwner;
import io.distributionlock.LockRequest;
import io.distributionlock.LockTemplate;
import io.distributionlock.annotation.DistributionLock;
import io.distributionlock.annotation.DistributionLockParam;
import io.distributionlock.annotation.InvalidLockDefinitionException;
import io.distributionlock.annotation.ScheduledLock;
import io.distributionlock.local.LocalLockExecutor;
import io.distributionlock.messages.MessageRules;
import io.distributionlock.quorum.QuorumLockExecutor;
import io.distributionlock.quorum.QuorumNodeState;
import io.distributionlock.redis.RedisLockExecutor;
import io.distributionlock.testing.LockContextRunner;
import io.distributionlock.testing.RedisConnections;
import io.distributionlock.testing.RedisProcess;
import io.distributionlock.testing.ScriptedLockExecutor;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/** An application keeps some of its locks elsewhere, by a bean of its own, and never in the wrong place. */
@Tag("boot4")
class SecondExecutorTest {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String PAY = "distribution-lock:{pay:x}";

    private static RedisProcess main;
    private static List<RedisProcess> others;

    @BeforeAll
    static void startServers() {
        main = RedisProcess.start();
        others = Stream.generate(RedisProcess::start).limit(3).toList();
    }

    @AfterAll
    static void stopServers() {
        main.close();
        others.forEach(RedisProcess::close);
    }

    private static String uri(RedisProcess server) {
        return "redis://127.0.0.1:" + server.port();
    }

    /** An application whose default executor is in the main Redis. */
    private static ApplicationContextRunner application(Class<?>... configurations) {
        return LockContextRunner.redis(main.port())
                .withPropertyValues("payments.redis=" + uri(others.get(0)))
                .withUserConfiguration(configurations);
    }

    private static boolean has(RedisProcess server, String key) {
        return Long.valueOf(1).equals(server.command("EXISTS", key));
    }

    @Configuration(proxyBeanMethods = false)
    static class PaymentsElsewhere {

        @Bean(defaultCandidate = false)
        RedisLockExecutor payments(LockExecutors executors, @Value("${payments.redis}") String uri) {
            return executors.redis(uri);
        }
    }

    static class Payments {

        @DistributionLock(key = "pay", executor = "${second:payments}")
        public boolean arePaidThere(@DistributionLockParam String order) {
            return has(others.get(0), PAY) && !has(main, PAY);
        }
    }

    static class Shop extends Payments {

        @DistributionLock(key = "browse")
        public boolean browse() {
            return has(main, "distribution-lock:{browse}");
        }

        @ScheduledLock(name = "job", executor = "${job.executor}")
        public Boolean job() {
            return has(main, "distribution-lock:{job}");
        }
    }

    @ParameterizedTest
    @CsvSource({"payments, false", "distributionLockExecutor, true", "distributionLockTemplate, true"})
    void aMethodThatNamesTheBeanIsLockedThereAndOthersAsBefore(String ofTheJob, boolean inMain) {
        application(PaymentsElsewhere.class, Shop.class)
                .withPropertyValues("job.executor=" + ofTheJob)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Shop shop = context.getBean(Shop.class);
                    assertThat(shop.arePaidThere("x")).isTrue();
                    assertThat(shop.browse()).isTrue();
                    assertThat(shop.job()).isEqualTo(inMain);
                });
    }

    /** Under the name that a property gives, in the way of a library that registers beans by hand. */
    @Configuration(proxyBeanMethods = false)
    @Import(ByHand.Registrar.class)
    static class ByHand {

        static class Registrar implements ImportBeanDefinitionRegistrar, EnvironmentAware, BeanFactoryAware {

            private Environment environment;
            private BeanFactory beans;

            @Override
            public void setEnvironment(Environment given) {
                environment = given;
            }

            @Override
            public void setBeanFactory(BeanFactory given) {
                beans = given;
            }

            @Override
            public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
                RootBeanDefinition executor = new RootBeanDefinition(
                        RedisLockExecutor.class,
                        () -> beans.getBean(LockExecutors.class).redis(uri(others.get(0))));
                executor.setDefaultCandidate(false);
                registry.registerBeanDefinition(environment.getRequiredProperty("second"), executor);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NamedAsTheDefaultExecutor {

        @Bean(defaultCandidate = false)
        RedisLockExecutor distributionLockExecutor(LockExecutors executors) {
            return executors.redis(uri(others.get(0)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class NamedAsTheDefaultTemplate {

        @Bean(defaultCandidate = false)
        RedisLockExecutor distributionLockTemplate(LockExecutors executors) {
            return executors.redis(uri(others.get(0)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TemplateNamedAsTheDefault {

        @Bean(defaultCandidate = false)
        LockTemplate distributionLockTemplate(LockExecutors executors, LockTemplateConfigurer configurer) {
            return configurer
                    .configure(LockTemplate.builder(executors.redis(uri(others.get(0)))))
                    .build();
        }
    }

    static Stream<Arguments> clashes() {
        Stream<Arguments> byHand = Stream.of(
                        "redis",
                        "local",
                        "quorum",
                        "distributionLockExecutor",
                        "distributionLockTemplate",
                        "distributionLockEvents",
                        "distributionLockConnections",
                        "distributionLockStart",
                        "redisConnectionFactory")
                .map(name -> Arguments.of(ByHand.class, name));
        Stream<Arguments> declared = Stream.of(
                Arguments.of(NamedAsTheDefaultExecutor.class, "distributionLockExecutor"),
                Arguments.of(NamedAsTheDefaultTemplate.class, "distributionLockTemplate"),
                Arguments.of(TemplateNamedAsTheDefault.class, "distributionLockTemplate"));
        return Stream.concat(byHand, declared)
                .flatMap(clash -> Stream.of(true, false)
                        .map(overriding -> Arguments.of(clash.get()[0], clash.get()[1], overriding)));
    }

    /** Whatever its bean is called: the lock is there, or the start fails. Never is it kept by the default executor. */
    @ParameterizedTest
    @MethodSource("clashes")
    void anExecutorIsNeverMistakenForTheDefaultOne(Class<?> configuration, String name, boolean overriding) {
        application(configuration, Payments.class)
                .withAllowBeanDefinitionOverriding(overriding)
                .withPropertyValues("second=" + name)
                .run(context -> {
                    if (context.getStartupFailure() == null) {
                        assertThat(context.getBean(Payments.class).arePaidThere("x"))
                                .isTrue();
                    } else {
                        assertThat(context).getFailure().hasStackTraceContaining(name);
                    }
                });
    }

    /** A second server that all locks have moved to, since the bean replaces the default one. */
    @ParameterizedTest
    @ValueSource(classes = {ForgottenExecutor.class, ForgottenTemplate.class})
    void aBeanThatHasBecomeTheDefaultStopsTheStart(Class<?> forgotten) {
        application(forgotten, Shop.class)
                .withPropertyValues("job.executor=payments")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("would be locked by 'payments'")
                        .hasMessageContaining("@Bean(defaultCandidate = false)"));
        application(forgotten, Payments.class)
                .run(context -> assertThat(context.getBean(Payments.class).arePaidThere("x"))
                        .isTrue());
    }

    @Configuration(proxyBeanMethods = false)
    static class ForgottenExecutor {

        @Bean
        RedisLockExecutor payments(LockExecutors executors) {
            return executors.redis(uri(others.get(0)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ForgottenTemplate {

        @Bean
        LockTemplate payments(LockExecutors executors, LockTemplateConfigurer configurer) {
            return configurer
                    .configure(LockTemplate.builder(executors.redis(uri(others.get(0)))))
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoOfOneQualifier {

        @Bean(defaultCandidate = false)
        @Qualifier("payments")
        LocalLockExecutor one() {
            return new LocalLockExecutor();
        }

        @Bean(defaultCandidate = false)
        @Qualifier("payments")
        LocalLockExecutor other() {
            return new LocalLockExecutor();
        }
    }

    @Test
    void aQualifierOfSeveralBeansStopsTheStart() {
        application(TwoOfOneQualifier.class, Payments.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("arePaidThere")
                        .hasMessageContaining("the qualifier of several beans"));
    }

    @Test
    void aNameThatNoBeanHasStopsTheStartAndIsNamed() {
        application(Payments.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining(
                                "executor = \"${second:payments}\" (payments), but there is no such executor")
                        .hasMessageContaining("distributionLockExecutor")
                        .hasMessageContaining("declare a LockExecutor or LockTemplate bean"));
    }

    @Test
    void whatTheEarlierPropertiesDescribedStopsTheStart() {
        application(PaymentsElsewhere.class)
                .withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addLast(new MapPropertySource(
                                "application.yml", Map.of("distribution-lock.executors.payments.type", "local"))))
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("distribution-lock.executors.payments.type"));
    }

    static class Invoices {

        @DistributionLock(key = "pay", executor = "payments")
        public long areIssuedUnderLocksOf(@DistributionLockParam String order) {
            return others.stream().filter(server -> has(server, PAY)).count();
        }
    }

    @Test
    void aQuorumStandsBesideASingleRedis() {
        quorum(SecondQuorum.class, Invoices.class).run(context -> {
            assertThat(context.getBean(LockExecutor.class)).isInstanceOf(RedisLockExecutor.class);
            // On a loaded machine a first connection may take longer than an attempt.
            await().atMost(LONG)
                    .untilAsserted(() -> assertThat(
                                    context.getBean(QuorumLockExecutor.class).nodes())
                            .allMatch(QuorumNodeState::reachable));
            assertThat(context.getBean(Invoices.class).areIssuedUnderLocksOf("x"))
                    .isEqualTo(3);
            assertThat(has(main, PAY)).isFalse();
        });
    }

    private static ApplicationContextRunner quorum(Class<?>... configurations) {
        return application(configurations)
                .withPropertyValues(
                        "distribution-lock.quorum.nodes="
                                + others.stream().map(SecondExecutorTest::uri).collect(Collectors.joining(",")),
                        "distribution-lock.quorum.mode=all",
                        "distribution-lock.quorum.node-timeout=5s");
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnTemplate {

        @Bean(defaultCandidate = false)
        LettuceConnectionFactory paymentsRedis() {
            return RedisConnections.to(others.get(0).port());
        }

        @Bean(defaultCandidate = false)
        RedisLockExecutor payments(LockExecutors executors, @Qualifier("paymentsRedis") RedisConnectionFactory redis) {
            return executors.redis(new StringRedisTemplate(redis), "pay");
        }

        @Bean(defaultCandidate = false)
        LockTemplate inCode(@Qualifier("payments") LockExecutor executor, LockTemplateConfigurer configurer) {
            return configurer.configure(LockTemplate.builder(executor)).build();
        }
    }

    @Test
    void anExecutorOverTheRedisTemplateOfTheApplicationHasAPrefixOfItsOwn() {
        application(OwnTemplate.class).run(context -> {
            LockTemplate template = context.getBean("inCode", LockTemplate.class);
            try (Lease lease = template.acquire("where")) {
                assertThat(lease.isValid()).isTrue();
                assertThat(has(others.get(0), "pay:{where}")).isTrue();
                assertThat(has(main, "distribution-lock:{where}")).isFalse();
            }
        });
    }

    @Test
    void aTemplateOfTheApplicationCanBeNamedToo() {
        ScriptedLockExecutor own = new ScriptedLockExecutor();
        application(Payments.class)
                .withBean(
                        "payments",
                        LockTemplate.class,
                        () -> new LockTemplate(own, LockDefaults.STANDARD),
                        LockContextRunner::byNameOnly)
                .run(context -> {
                    context.getBean(Payments.class).arePaidThere("7");
                    assertThat(own.names()).containsExactly("pay:7");
                });
    }

    /** The kill switch covers it, and nothing is checked or reported. */
    @Test
    void whileLocksAreDisabledASecondExecutorIsNotUsed() {
        quorum(SecondQuorum.class, Invoices.class)
                .withPropertyValues("distribution-lock.enabled=false", "distribution-lock.redis.check-on-start=true")
                .run(context -> assertThat(context.getBean(Invoices.class).areIssuedUnderLocksOf("x"))
                        .isZero());
    }

    @Test
    void whenOnlyASecondExecutorIsThereThenMethodsThatNameNoneStopTheStart() {
        LockContextRunner.plain()
                .withBean("payments", LocalLockExecutor.class, LocalLockExecutor::new, LockContextRunner::byNameOnly)
                .withBean(Shop.class)
                .withPropertyValues("job.executor=payments")
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("no LockTemplate"));
    }

    static class FairPayments {

        @DistributionLock(key = "browse", kind = LockKind.FAIR)
        public void browse() {}

        @DistributionLock(key = "pay", kind = LockKind.FAIR, executor = "payments")
        public void pay() {}
    }

    @Test
    void whenAMethodWantsAKindThatItsExecutorHasNotThenTheStartFails() {
        quorum(SecondQuorum.class, FairPayments.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("FairPayments.pay")
                        .hasMessageContaining("kind = FAIR")
                        .hasMessageContaining("executor 'payments' has only [REENTRANT]")
                        .hasMessageNotContaining("FairPayments.browse"));
    }

    static class PermittedPayments {

        @DistributionLock(key = "pay", permits = 3, executor = "payments")
        public void pay() {}
    }

    @Test
    void whenAMethodWantsPermitsThatItsExecutorHasNotThenTheStartFailsAndSpeaksOfPermits() {
        quorum(SecondQuorum.class, PermittedPayments.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining(
                                "PermittedPayments.pay() has permits = 3, but executor 'payments' has only"
                                        + " [REENTRANT].")
                        .hasMessageContaining("Leave 'permits' out")
                        .hasMessageContaining("a quorum has none")
                        .hasMessageNotContaining("kind = "));
    }

    static class Mixed {

        @DistributionLock(key = "a")
        @DistributionLock(key = "b", executor = "payments")
        public void both() {}
    }

    @Test
    void whenTheLocksOfOneMethodNameDifferentExecutorsThenTheStartFails() {
        application(PaymentsElsewhere.class, Mixed.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidLockDefinitionException.class)
                        .hasMessageContaining("Mixed.both")
                        .hasMessageContaining("'', 'payments'"));
    }

    @Test
    void itStopsWithTheApplication() {
        LockExecutor[] second = new LockExecutor[1];
        application(PaymentsElsewhere.class)
                .run(context -> second[0] = context.getBean("payments", LockExecutor.class));
        assertThat(second[0].acquire(LockRequest.named("x").build(), LockOwner.unique()))
                .succeedsWithin(LONG)
                .isInstanceOf(LockOutcome.BackendFailed.class);
    }

    @ParameterizedTest
    @CsvSource({
        "localhost:6379, is not the URI of a Redis: it is 'localhost:6379'.",
        "http://secret@host, is not the URI of a Redis.",
        "redis-sentinel://secret@a:1#master, does not name a single server.",
        "' ', is not the URI of a Redis: it is blank.",
    })
    void anAddressThatIsNoneStopsTheStartAndSaysWhatToDo(String uri, String problem) {
        application(PaymentsElsewhere.class)
                .withPropertyValues("payments.redis=" + uri)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageStartingWith("'uri' of LockExecutors.redis " + problem)
                        .hasMessageNotContaining("secret")
                        .satisfies(failure -> assertThat(MessageRules.faults(failure.getMessage()))
                                .isEmpty()));
    }
}
