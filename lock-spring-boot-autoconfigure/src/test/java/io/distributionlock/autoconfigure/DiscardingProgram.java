package io.distributionlock.autoconfigure;

import io.distributionlock.testing.RespClient;
import java.beans.Introspector;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/** Starts and closes an application three times, each in a class loader of its own, and says what is left. */
final class DiscardingProgram {

    private static final int ROUNDS = 3;

    private DiscardingProgram() {}

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            loaders.add(runOnce(port));
        }
        System.out.println("[locked] " + loaders.size() + " times");
        awaitAtMostAMinute(() -> threads().isEmpty() && clients(port) == 1);
        System.out.println("[threads] " + threads());
        System.out.println("[clients] " + clients(port));
        awaitAtMostAMinute(() -> {
            clearCachesAsDevtoolsDoes();
            System.gc();
            return left(loaders) <= 1;
        });
        System.out.println("[class loaders left] " + left(loaders));
    }

    /** On a thread of its own, as with devtools. */
    private static WeakReference<ClassLoader> runOnce(int port) throws InterruptedException {
        ClassLoader loader = new DiscardedLoader();
        Thread thread = new Thread(
                () -> {
                    try {
                        Class.forName(DiscardedApplication.class.getName(), true, loader)
                                .getMethod("run", int.class)
                                .invoke(null, port);
                    } catch (ReflectiveOperationException e) {
                        throw new IllegalStateException(e);
                    }
                },
                "restarted");
        thread.setContextClassLoader(loader);
        thread.setUncaughtExceptionHandler((failed, failure) -> {
            failure.printStackTrace();
            System.exit(1);
        });
        thread.start();
        thread.join();
        return new WeakReference<>(loader);
    }

    private static void clearCachesAsDevtoolsDoes() {
        Introspector.flushCaches();
        ReflectionUtils.clearCache();
        AnnotationUtils.clearCache();
        ResolvableType.clearCache();
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("distribution-lock"))
                .toList();
    }

    private static long clients(int port) {
        try (RespClient client = new RespClient(port)) {
            return String.valueOf(client.command("CLIENT", "LIST"))
                    .lines()
                    .filter(line -> line.contains("addr="))
                    .count();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long left(List<WeakReference<ClassLoader>> loaders) {
        return loaders.stream().map(WeakReference::get).filter(Objects::nonNull).count();
    }

    private static void awaitAtMostAMinute(BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean() && System.nanoTime() - start < TimeUnit.MINUTES.toNanos(1)) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** Defines the classes of the application itself, and leaves all others to its parent. */
    private static final class DiscardedLoader extends ClassLoader {

        DiscardedLoader() {
            super(DiscardingProgram.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                return name.startsWith(DiscardedApplication.class.getName())
                        ? define(name)
                        : super.loadClass(name, resolve);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
