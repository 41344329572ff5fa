package io.distributionlock.benchmarks.workloads;

import io.distributionlock.benchmarks.workers.Fields;

/**
 * What the threads of one process do.
 *
 * @param threads how many there are
 * @param naming which names they lock
 * @param names how many names all processes use together
 * @param sectionMillis how long a section sleeps; 0 for an empty one
 * @param millis for how long sections begin; 0 for one section per thread, or one per name with {@link Naming#MANY}
 * @param atOnce how many sections of a name may run at once
 */
record SectionShape(int threads, Naming naming, int names, int sectionMillis, long millis, int atOnce) {

    /** Sections of locks. */
    SectionShape(int threads, Naming naming, int names, int sectionMillis, long millis) {
        this(threads, naming, names, sectionMillis, millis, 1);
    }

    Fields addTo(Fields fields) {
        return fields.with("threads", threads)
                .with("naming", naming)
                .with("names", names)
                .with("sectionMillis", sectionMillis)
                .with("millis", millis)
                .with("atOnce", atOnce);
    }

    static SectionShape of(Fields fields) {
        return new SectionShape(
                (int) fields.number("threads"),
                Naming.valueOf(fields.text("naming")),
                (int) fields.number("names"),
                (int) fields.number("sectionMillis"),
                fields.number("millis"),
                (int) fields.number("atOnce"));
    }
}
