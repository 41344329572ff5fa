package io.distributionlock.state;

import io.distributionlock.internal.Internal;
import org.jspecify.annotations.Nullable;

/**
 * Hears that a hold was lost. A listener belongs to one hold and links to those that came before it: most holds have one, and a
 * process may hold very many locks.
 *
 * @hidden
 */
@Internal
public abstract class LossListener {

    /** The listener of the same hold that came before this one, if any. Guarded by the engine's lock. */
    @Nullable
    LossListener earlier;

    /** Called once the hold is marked as over, by a thread that renews other locks and must not be kept. */
    public abstract void lost();
}
