package io.distributionlock.redis;

import io.distributionlock.engine.AcquireReply;
import java.util.List;

/**
 * What beat.lua answers.
 *
 * @param busy the answer to each claim that stands in the queue
 * @param absent the numbers of the others, from 0: they are inside, or have lost their places
 */
record BeatReply(AcquireReply.Busy busy, List<Integer> absent) {}
