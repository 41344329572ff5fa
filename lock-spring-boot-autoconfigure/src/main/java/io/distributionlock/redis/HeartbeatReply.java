package io.distributionlock.redis;

import io.distributionlock.backend.AcquireReply;
import java.util.List;

/**
 * The answer of beat.lua.
 *
 * @param busy the answer to each claim that is still queued
 * @param absent the indexes of the other claims, which hold the lock or have lost their places
 */
record HeartbeatReply(AcquireReply.Busy busy, List<Integer> absent) {}
