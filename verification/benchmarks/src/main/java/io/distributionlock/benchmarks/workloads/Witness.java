package io.distributionlock.benchmarks.workloads;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Detects whether two threads are ever in sections of one name at once, in any process that has mapped the same file; or more than
 * there are permits. Each name has a slot: the thread in it, the number of entries, and when the last section ended. Entries are
 * counted by a plain read and a plain write, like the data that a lock protects: if two threads enter at once, entries are lost too.
 */
final class Witness {

    private static final VarHandle LONG = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

    /** One place per cache line, so that names do not slow each other down. */
    private static final int PLACE = 64;

    private static final int OWNER = 0;
    private static final int ENTRIES = 8;
    private static final int LAST_END = 16;
    private static final int VIOLATIONS = 24;
    private static final int INSIDE = 32;
    private static final long NOBODY = 0;

    private final MappedByteBuffer places;
    private final int names;
    private final int atOnce;

    private Witness(MappedByteBuffer places, int names, int atOnce) {
        this.places = places;
        this.names = names;
        this.atOnce = atOnce;
    }

    /** Looks at so many locks through this file, which is created if it is not there. */
    static Witness map(Path file, int names) {
        return map(file, names, 1);
    }

    /** @param atOnce how many sections of one name may run at once */
    static Witness map(Path file, int names, int atOnce) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return new Witness(channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) PLACE * names), names, atOnce);
        } catch (IOException failed) {
            throw new UncheckedIOException("Cannot map " + file, failed);
        }
    }

    /** A name for a file that no disk has to keep, where the machine has such a place. */
    static Path newFile() {
        Path memory = Path.of("/dev/shm");
        try {
            return Files.isWritable(memory)
                    ? Files.createTempFile(memory, "lock-benchmarks", ".witness")
                    : Files.createTempFile("lock-benchmarks", ".witness");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /**
     * To be called first in a section.
     *
     * @param me differs between threads and processes, and is not 0
     */
    void enter(int name, long me) {
        if (atOnce > 1) {
            violatedIf((long) LONG.getAndAdd(places, place(name, INSIDE), 1L) >= atOnce, name);
            LONG.getAndAdd(places, place(name, ENTRIES), 1L);
            return;
        }
        long before = (long) LONG.getAndSet(places, place(name, OWNER), me);
        violatedIf(before != NOBODY, name);
        long entries = (long) LONG.get(places, place(name, ENTRIES));
        LONG.set(places, place(name, ENTRIES), entries + 1);
    }

    /** To be called last in a section. */
    void leave(int name, long me) {
        LONG.set(places, place(name, LAST_END), System.nanoTime());
        if (atOnce > 1) {
            LONG.getAndAdd(places, place(name, INSIDE), -1L);
        } else {
            violatedIf(!LONG.compareAndSet(places, place(name, OWNER), me, NOBODY), name);
        }
    }

    private void violatedIf(boolean violated, int name) {
        if (violated) {
            LONG.getAndAdd(places, place(name, VIOLATIONS), 1L);
        }
    }

    /** When the last section of this name ended, in the nanoseconds of {@link System#nanoTime()}; 0 if there was none. */
    long lastEnd(int name) {
        return (long) LONG.get(places, place(name, LAST_END));
    }

    long entries() {
        return sum(ENTRIES);
    }

    long violations() {
        return sum(VIOLATIONS);
    }

    private long sum(int what) {
        long sum = 0;
        for (int name = 0; name < names; name++) {
            sum += (long) LONG.getVolatile(places, place(name, what));
        }
        return sum;
    }

    private int place(int name, int what) {
        return name * PLACE + what;
    }
}
