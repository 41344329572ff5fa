package io.distributionlock.state;

import io.distributionlock.LockKind;
import io.distributionlock.internal.Internal;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Generates the claim ids of one process: {@code <instance>:<number>}, {@code <instance>:r<number>} for readers, and
 * {@code <instance>:p<permits>-<number>} for permits. No id is ever reused, so that a command that runs late or twice cannot affect a
 * later claim.
 *
 * @hidden
 */
@Internal
public final class ClaimIdGenerator {

    private static final Pattern FORMAT = Pattern.compile("(r?|p[1-9][0-9]{0,9}-)([1-9][0-9]{0,17})");

    private final String exclusive;
    private final String reading;
    private final String permitted;
    private final AtomicLong number = new AtomicLong();

    public ClaimIdGenerator(String instance) {
        this.exclusive = instance + ":";
        this.reading = instance + ":r";
        this.permitted = instance + ":p";
    }

    /** @param permits how many there are, if that is the kind */
    Claim next(LockKind kind, int permits) {
        String beginning = switch (kind) {
            case REENTRANT, FAIR, WRITE -> exclusive;
            case READ -> reading;
            case PERMIT -> permitted + permits + "-";
        };
        return new Claim(beginning, number.incrementAndGet());
    }

    /**
     * The claim of this process with this text; {@code null} if this process never made one. Anybody may have sent the text, and
     * a message that names a claim of the future must not release it.
     */
    public @Nullable Claim made(String text) {
        if (!text.startsWith(exclusive)) {
            return null;
        }
        Matcher parts = FORMAT.matcher(text.substring(exclusive.length()));
        if (!parts.matches() || Long.parseLong(parts.group(2)) > number.get()) {
            return null;
        }
        return new Claim(exclusive + parts.group(1), Long.parseLong(parts.group(2)));
    }
}
