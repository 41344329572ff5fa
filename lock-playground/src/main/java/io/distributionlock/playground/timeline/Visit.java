package io.distributionlock.playground.timeline;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request, from its arrival to its answer. Outside its sections it waits.
 *
 * @param id its number on this instance
 * @param version increases with each change of any visit of this instance
 * @param run the run it belongs to; empty if it has none
 * @param number its number in that run; null if it has none
 * @param thread the thread that handles it
 * @param request the HTTP method and path
 * @param asked when it arrived, in microseconds since 1970
 * @param sections its work, by start time; a nested section starts before its outer one has ended
 * @param answered when it was answered; null until then
 * @param code the code of the answer; null until then
 * @param cause why it was not served; null if it was
 */
record Visit(
        long id,
        long version,
        String run,
        @Nullable Integer number,
        String thread,
        String request,
        long asked,
        List<Section> sections,
        @Nullable Long answered,
        @Nullable Integer code,
        @Nullable String cause) {

    boolean isOpen() {
        return answered == null;
    }

    Visit entering(Section section, long newVersion) {
        List<Section> all = new ArrayList<>(sections);
        all.add(section);
        return with(all, newVersion);
    }

    /** Ends the section that was entered last and is still open. */
    Visit leaving(long time, long newVersion) {
        List<Section> all = new ArrayList<>(sections);
        for (int i = all.size() - 1; i >= 0; i--) {
            if (all.get(i).left() == null) {
                all.set(i, all.get(i).endedAt(time));
                break;
            }
        }
        return with(all, newVersion);
    }

    Visit answered(long time, @Nullable Integer withCode, @Nullable String why, long newVersion) {
        return new Visit(id, newVersion, run, number, thread, request, asked, sections, time, withCode, why);
    }

    private Visit with(List<Section> all, long newVersion) {
        return new Visit(id, newVersion, run, number, thread, request, asked, List.copyOf(all), answered, code, cause);
    }
}
