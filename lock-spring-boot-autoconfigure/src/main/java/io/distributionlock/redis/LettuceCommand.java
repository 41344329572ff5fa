package io.distributionlock.redis;

import io.lettuce.core.RedisException;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.RedisCommand;

/** A command that is sent by Lettuce, which cancels what is under way over a connection that it closes: here, that has a reason. */
class LettuceCommand<T> extends AsyncCommand<byte[], byte[], T> {

    LettuceCommand(RedisCommand<byte[], byte[], T> command) {
        super(command);
    }

    /** Called by Lettuce. Whoever needs no answer calls {@link #cancel(boolean)}. */
    @Override
    public void cancel() {
        completeExceptionally(new RedisException("The connection to Redis was closed before there was an answer."));
    }
}
