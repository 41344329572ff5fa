package io.distributionlock.fenced;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A row, without a version. */
@Entity
@Table(name = "counters")
class Counter {

    @Id
    private String name = "";

    private long n;

    long n() {
        return n;
    }

    void change(long value) {
        n = value;
    }
}
