package io.distributionlock.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

class RedisInfoTest {

    @Test
    void countsWhatWasRunWithoutWhatTheCoordinatorAsks() {
        RedisInfo info = RedisInfo.parse("""
            # Commandstats\r
            cmdstat_evalsha:calls=10,usec=123,usec_per_call=12.30,rejected_calls=0,failed_calls=0\r
            cmdstat_set:calls=7,usec=9,usec_per_call=1.29\r
            cmdstat_script|load:calls=1,usec=9,usec_per_call=9.00\r
            cmdstat_config|resetstat:calls=1,usec=20,usec_per_call=20.00\r
            cmdstat_info:calls=3,usec=90,usec_per_call=30.00\r
            """);
        assertThat(info.commandsRun()).isEqualTo(18);
    }

    @Test
    void readsNumbers() {
        assertThat(RedisInfo.parse("# CPU\r\nused_cpu_sys:1.25\r\n").number("used_cpu_sys"))
                .isEqualTo(1.25);
    }

    @Test
    void namesWhatIsMissing() {
        assertThatIllegalStateException()
                .isThrownBy(() -> RedisInfo.parse("").number("used_cpu_sys"))
                .withMessageContaining("used_cpu_sys");
    }
}
