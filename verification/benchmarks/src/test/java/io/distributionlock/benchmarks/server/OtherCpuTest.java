package io.distributionlock.benchmarks.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(value = OS.LINUX, disabledReason = "elsewhere, nobody is told what another's process uses")
class OtherCpuTest {

    private static final Duration USED = Duration.ofMillis(300);

    @Test
    void whatAnotherProcessUsesIsSeen() throws Exception {
        // Its parent ends at once, so it is nobody's child here.
        ProcessHandle busy = pidPrintedBy("(while :; do :; done) >/dev/null 2>&1 & echo $!");
        try {
            OtherCpu others = OtherCpu.now();
            long begin = System.nanoTime();
            awaitUse(busy, used(busy).plus(USED));
            double seconds = (System.nanoTime() - begin) / 1e9;
            // The clock ticks a hundred times a second.
            assertThat(others.percent() * seconds / 100).isGreaterThan(0.8 * USED.toMillis() / 1e3);
        } finally {
            busy.destroyForcibly();
        }
    }

    private static void awaitUse(ProcessHandle process, Duration used) {
        await().atMost(Duration.ofSeconds(60)).until(() -> used(process).compareTo(used) > 0);
    }

    private static Duration used(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static ProcessHandle pidPrintedBy(String script) throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", script).start();
        String pid = new String(shell.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).trim();
        shell.waitFor();
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }
}
