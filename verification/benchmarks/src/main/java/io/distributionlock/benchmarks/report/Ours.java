package io.distributionlock.benchmarks.report;

import io.distributionlock.benchmarks.contestants.Contestants;
import io.distributionlock.benchmarks.workloads.Workloads;
import java.util.List;

/** Which of this library's locks a workload is about. */
final class Ours {

    private Ours() {}

    /** The first one is what the workload is shown for. */
    static List<String> of(String workload) {
        return switch (workload) {
            case Workloads.FAIR, Workloads.FAIR_WAITERS -> List.of(Contestants.LIBRARY_FAIR);
            case Workloads.PERMIT -> List.of(Contestants.LIBRARY_PERMITS);
            case Workloads.THREE_MASTERS -> List.of(Contestants.LIBRARY_QUORUM);
            case Workloads.UNCONTENDED -> List.of(Contestants.LIBRARY, Contestants.LIBRARY_TOKEN);
            case Workloads.NETWORK, Workloads.WAITERS, Workloads.ADDRESS, Workloads.HOT ->
                List.of(Contestants.LIBRARY, Contestants.LIBRARY_FAIR, Contestants.LIBRARY_TOKEN);
            default -> List.of(Contestants.LIBRARY);
        };
    }
}
