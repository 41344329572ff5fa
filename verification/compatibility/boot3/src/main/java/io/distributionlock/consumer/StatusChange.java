package io.distributionlock.consumer;

import io.distributionlock.annotation.DistributionLockParam;

/** An argument that says by itself what names the lock. */
public record StatusChange(@DistributionLockParam String orderCode, int status) {}
