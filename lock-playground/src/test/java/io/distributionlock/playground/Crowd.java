package io.distributionlock.playground;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Many callers that start at the same moment. */
public final class Crowd {

    private Crowd() {}

    /** Makes all calls at once, each on its own thread, and returns the answers in the order of the calls. */
    public static List<Answer> atOnce(List<Callable<Answer>> calls) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(calls.size());
        CountDownLatch begin = new CountDownLatch(1);
        try {
            List<Future<Answer>> answers = new ArrayList<>();
            for (Callable<Answer> call : calls) {
                answers.add(threads.submit(() -> {
                    begin.await();
                    return call.call();
                }));
            }
            begin.countDown();
            List<Answer> given = new ArrayList<>();
            for (Future<Answer> answer : answers) {
                given.add(answer.get(90, TimeUnit.SECONDS));
            }
            return given;
        } finally {
            threads.shutdownNow();
        }
    }
}
