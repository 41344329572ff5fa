package io.distributionlock.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ReportTest {

    @TempDir
    Path folder;

    private String page;

    @BeforeEach
    void write() throws IOException {
        Path csv = folder.resolve("measurements.csv");
        Path machine = folder.resolve("machine.txt");
        Files.write(
                csv,
                List.of(
                        "workload,variant,contestant,metric,unit,round,value",
                        "uncontended,1 thread,redisson,Redis CPU,µs per section,1,30",
                        "uncontended,1 thread,redisson,throughput,sections/s,1,4000",
                        "uncontended,1 thread,redisson,throughput,sections/s,2,5000",
                        "uncontended,1 thread,redisson,throughput,sections/s,3,4500",
                        "uncontended,1 thread,distribution-lock,throughput,sections/s,1,9000",
                        "uncontended,1 thread,lettuce,throughput,sections/s,1,10000",
                        "fair,16 waiters,redisson fair,wait p50,µs,1,300",
                        "fair,16 waiters,distribution-lock fair,wait p50,µs,1,2",
                        "fair,16 waiters,another & <new> one,wait p50,µs,1,7",
                        "renewing,10 locks,redisson watchdog,heap,B per lock,1,1000",
                        "renewing,10 locks,distribution-lock,heap,B per lock,1,500"));
        Files.write(machine, List.of("CPU: 2 cores", "Redis: 7.0.15"));
        Report.write(csv, machine, folder.resolve("out"));
        page = read("results.md");
    }

    @Test
    void describesTheMachine() {
        assertThat(page).startsWith("# Results\n\n- CPU: 2 cores\n- Redis: 7.0.15\n");
    }

    @Test
    void tellsMedianAndSpreadWithTheFloorFirst() {
        assertThat(page).contains("""
                        ### Uncontended: 1 thread

                        | | throughput (sections/s) ↑ | Redis CPU (µs per section) |
                        |---|---:|---:|
                        | lettuce | 10,000 | – |
                        | distribution-lock | 9,000 | – |
                        | redisson | 4,500 [4,000–5,000] | 30.0 |
                        """);
    }

    @Test
    void comparesWithTheFloorAndWithRedisson() {
        assertThat(page).contains("""
                        Divided by `lettuce`:

                        | | throughput (sections/s) ↑ | Redis CPU (µs per section) |
                        |---|---:|---:|
                        | distribution-lock | 0.900× | – |
                        | redisson | 0.450× | – |

                        Divided by `redisson`:

                        | | throughput (sections/s) ↑ | Redis CPU (µs per section) |
                        |---|---:|---:|
                        | lettuce | 2.22× | – |
                        | distribution-lock | 2.00× | – |
                        """);
    }

    @Test
    void comparesWithAnotherLockOfRedissonWhereItsPlainOneTakesNoPart() {
        assertThat(page).contains("""
                        Divided by `redisson fair`:

                        | | wait p50 (µs) |
                        |---|---:|
                        | distribution-lock fair | 0.007× |
                        | another & <new> one | 0.023× |
                        """).contains("""
                        Divided by `redisson watchdog`:

                        | | heap (B per lock) |
                        |---|---:|
                        | distribution-lock | 0.500× |
                        """);
    }

    @Test
    void drawsTellingMetricsOnly() throws Exception {
        assertThat(page)
                .contains("![Uncontended: throughput](uncontended-throughput.svg)")
                .doesNotContain("redis-cpu.svg");
        assertThat(svg("uncontended-throughput.svg"))
                .doesNotContain("logarithmic")
                .contains("higher is better");
    }

    @Test
    void valuesThatDifferByMoreThanADecadeAreDrawnByTheirLogarithm() throws Exception {
        assertThat(svg("fair-wait-p50.svg"))
                .contains("µs, lower is better, logarithmic")
                .contains("another &amp; &lt;new&gt; one: 7.00");
    }

    /** 9000 of 4500 for what is better when greater, 300 of 2 for what is better when smaller. */
    @Test
    void sumsUpHowManyTimesBetterThanRedisson() throws Exception {
        assertThat(svg("summary.svg"))
                .contains(">uncontended, 1 thread<")
                .contains("distribution-lock: 2.00<")
                .contains(">fair, 16 waiters<")
                .contains("distribution-lock fair: 150<");
        assertThat(page).contains("![Compared with Redisson](summary.svg)");
    }

    @Test
    void placesBarsInProportionOrByTheirLogarithm() {
        assertThat(Scale.of(2, 4).place(2)).isEqualTo(0.5);
        assertThat(Scale.of(1, 1_000).place(10)).isCloseTo(1 / 3.0, within(1e-9));
        assertThat(Scale.of(1, 1_000).marks()).hasSize(4);
    }

    @Test
    void whatGetsDoneIsBetterWhenGreater() {
        assertThat(new Metric("throughput", "ops/s").isBetterWhenGreater()).isTrue();
        assertThat(new Metric("Jain of threads", "index").isBetterWhenGreater()).isTrue();
        assertThat(new Metric("commands", "commands/s").isBetterWhenGreater()).isFalse();
        assertThat(new Metric("time", "ns/op").isBetterWhenGreater()).isFalse();
    }

    private String read(String name) throws IOException {
        return Files.readString(folder.resolve("out").resolve(name));
    }

    /** The text of a chart, which has to be XML. */
    private String svg(String name) throws Exception {
        String text = read(name);
        Document parsed = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(text)));
        assertThat(parsed.getDocumentElement().getTagName()).isEqualTo("svg");
        return text;
    }
}
