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
 */
record SectionShape(int threads, Naming naming, int names, int sectionMillis, long millis) {

    Fields addTo(Fields fields) {
        return fields.with("threads", threads)
                .with("naming", naming)
                .with("names", names)
                .with("sectionMillis", sectionMillis)
                .with("millis", millis);
    }

    static SectionShape of(Fields fields) {
        return new SectionShape(
                (int) fields.number("threads"),
                Naming.valueOf(fields.text("naming")),
                (int) fields.number("names"),
                (int) fields.number("sectionMillis"),
                fields.number("millis"));
    }
}
