package io.distributionlock.benchmarks.micro;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Says what a benchmark method stands for in the report. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@interface Measures {

    String workload();

    String variant();

    String contestant();
}
