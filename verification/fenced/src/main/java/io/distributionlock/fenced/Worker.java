package io.distributionlock.fenced;

import io.distributionlock.LockException;
import io.distributionlock.LockLostException;
import io.distributionlock.LockTemplate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** One process of the application. Does what its standard input says, and ends with it. */
final class Worker {

    static final int THREADS = 6;

    private final int number;
    private final LockTemplate locks;
    private final Caller caller;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private Worker(int number, ConfigurableApplicationContext application) {
        this.number = number;
        this.locks = application.getBean(LockTemplate.class);
        this.caller = new Caller(application);
    }

    /** @param arguments its number, then properties */
    public static void main(String[] arguments) throws IOException {
        // Of H2's errors, the pool does not know which mean that a connection is broken: let it look each time.
        System.setProperty("com.zaxxer.hikari.aliveBypassWindowMs", "0");
        ConfigurableApplicationContext application = new SpringApplicationBuilder(WorkerApplication.class)
                .web(WebApplicationType.NONE)
                .run(Arrays.copyOfRange(arguments, 1, arguments.length));
        Worker worker = new Worker(Integer.parseInt(arguments[0]), application);
        System.out.println("ready");
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                worker.obey(line.split(" "));
            }
        }
        Runtime.getRuntime().halt(0);
    }

    private void obey(String[] words) {
        switch (words[0]) {
            case "run" -> threads.execute(() -> run(words));
            case "force" -> locks.forceRelease(words[1]);
            default -> throw new IllegalArgumentException(words[0]);
        }
    }

    /** run ROUND COUNTERS UNTIL SEED FILE */
    private void run(String[] words) {
        String round = words[1];
        int counters = Integer.parseInt(words[2]);
        long until = Long.parseLong(words[3]);
        Random seeds = new Random(Long.parseLong(words[4]));
        try (Report report = new Report(Path.of(words[5]))) {
            List<CompletableFuture<Void>> all = IntStream.range(0, THREADS)
                    .mapToObj(thread -> new Calls(number, report::add, round, counters, new Random(seeds.nextLong())))
                    .map(calls -> CompletableFuture.runAsync(() -> work(calls, until), threads))
                    .toList();
            CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(5, TimeUnit.MINUTES);
            System.out.println("done");
        } catch (Exception e) {
            System.out.println("done failed " + e);
        }
    }

    private void work(Calls calls, long until) {
        while (System.nanoTime() < until) {
            Call call = calls.next();
            try {
                caller.call(call);
                call.done();
            } catch (LockLostException e) {
                call.failed(e);
            } catch (LockException e) {
                // Busy, or Redis did not answer: it did not run.
                if (call.hasBegun()) {
                    call.failed(e);
                }
            } catch (RuntimeException e) {
                call.failed(e);
            }
            Section.rest(calls.pause());
        }
    }
}
