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
                        "uncontended,1 thread,bare SET NX,throughput,sections/s,1,10000",
                        "hot name,2 processes 1 ms,distribution-lock,throughput,sections/s,1,700",
                        "hot name,2 processes 1 ms,distribution-lock,throughput,sections/s,2,900",
                        "hot name,2 processes 1 ms,distribution-lock,throughput,sections/s,3,950",
                        "hot name,2 processes 1 ms,lock4j,throughput,sections/s,1,790",
                        "hot name,2 processes 1 ms,lock4j,throughput,sections/s,2,800",
                        "hot name,2 processes 1 ms,lock4j,throughput,sections/s,3,810",
                        "hot name,2 processes 1 ms,redisson,throughput,sections/s,1,300",
                        "hot name,2 processes 1 ms,distribution-lock,wait p50,µs,1,400",
                        "hot name,2 processes 1 ms,lock4j,wait p50,µs,1,100",
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
    void tellsMedianAndSpreadWithTheBareCommandFirst() {
        assertThat(page).contains("""
                        ### Uncontended: 1 thread

                        | | throughput (sections/s) ↑ | Redis CPU (µs per section) |
                        |---|---:|---:|
                        | bare SET NX | 10,000 | – |
                        | distribution-lock | 9,000 | – |
                        | redisson | 4,500 [4,000–5,000] | 30.0 |
                        """);
    }

    @Test
    void comparesWithABareCommandAndWithTheBestOtherOfEachColumn() {
        assertThat(page).contains("""
                        Divided by `bare SET NX`:

                        | | throughput (sections/s) ↑ | Redis CPU (µs per section) |
                        |---|---:|---:|
                        | bare SET NX | 1.00× | – |
                        | distribution-lock | 0.900× | – |
                        | redisson | 0.450× | – |

                        Divided by the best peer of each column:

                        | | throughput (sections/s) ↑ | Redis CPU (µs per section) |
                        |---|---:|---:|
                        | bare SET NX | 2.22× | – |
                        | distribution-lock | 2.00× | – |
                        | redisson | 1.00× | 1.00× |
                        """);
    }

    @Test
    void tellsFirstWhatOthersDoBetter() {
        assertThat(page).containsSubsequence("""
                        ## Where another library is better

                        | | | here | the best other | times as good |
                        |---|---|---:|---:|---:|
                        | hot name, 2 processes 1 ms | wait p50 (µs) | 400 | 100 lock4j | 0.250 |
                        """, """
                        ## Where the ranges overlap

                        | | | here | the best other | times as good |
                        |---|---|---:|---:|---:|
                        | hot name, 2 processes 1 ms | throughput (sections/s) | 900 [700–950] | 800 [790–810] lock4j | 1.13 |
                        """, """
                        ## Where none is as good

                        | | | here | the best other | times as good |
                        |---|---|---:|---:|---:|
                        | uncontended, 1 thread | throughput (sections/s) | 9,000 | 4,500 [4,000–5,000] redisson | 2.00 |
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
    void sumsUpHowManyTimesAsGoodAsTheBestOther() throws Exception {
        assertThat(svg("summary.svg"))
                .contains(">uncontended, 1 thread<")
                .contains("distribution-lock: 2.00<")
                .contains(">fair, 16 waiters<")
                .contains("distribution-lock fair: 150<");
        assertThat(page).contains("![Compared with the best other library](summary.svg)");
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
