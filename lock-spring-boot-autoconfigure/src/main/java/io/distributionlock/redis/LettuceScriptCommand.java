package io.distributionlock.redis;

import io.distributionlock.engine.TryAgainException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/**
 * A script call on its way through Lettuce, and the future of its answer.
 *
 * <p>It goes out as EVALSHA. When Redis does not know the script, the same future waits for an EVAL instead.
 */
final class LettuceScriptCommand<T> extends AsyncCommand<byte[], byte[], T> {

    private static final String UNKNOWN_SCRIPT = "NOSCRIPT";

    private final ScriptCall<T> call;
    private final Consumer<AsyncCommand<byte[], byte[], ?>> sender;
    private final Runnable answered;

    /**
     * @param sender sends the EVAL if need be
     * @param answered called on Lettuce's event loop before the answer is told
     */
    LettuceScriptCommand(ScriptCall<T> call, Consumer<AsyncCommand<byte[], byte[], ?>> sender, Runnable answered) {
        super(new Command<>(
                CommandType.EVALSHA, new Answer<>(call), arguments(call.script().sha1Bytes(), call)));
        this.call = call;
        this.sender = sender;
        this.answered = answered;
    }

    @Override
    public void complete() {
        answered.run();
        String error = getOutput().getError();
        if (error == null || isDone()) {
            super.complete();
        } else if (error.startsWith(UNKNOWN_SCRIPT)) {
            sendText();
        } else if (Refusals.isOne(error)) {
            completeExceptionally(new TryAgainException(error));
        } else {
            completeExceptionally(new RedisCommandExecutionException(error));
        }
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        return super.completeExceptionally(RedisProblems.explained(failure));
    }

    private void sendText() {
        AsyncCommand<byte[], byte[], T> eval = new AsyncCommand<>(new Command<>(
                CommandType.EVAL, new Answer<>(call), arguments(call.script().text(), call)));
        eval.onComplete((reply, failure) -> {
            if (failure == null) {
                complete(reply);
            } else {
                completeExceptionally(Refusals.translate(failure));
            }
        });
        onComplete((reply, failure) -> {
            if (isCancelled()) {
                eval.cancel();
            }
        });
        sender.accept(eval);
    }

    private static CommandArgs<byte[], byte[]> arguments(byte[] textOrSha1, ScriptCall<?> call) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        arguments.add(textOrSha1).add(call.keyCount());
        List<byte[]> parameters = call.parameters();
        for (int i = 0; i < call.keyCount(); i++) {
            arguments.addKey(parameters.get(i));
        }
        for (int i = call.keyCount(); i < parameters.size(); i++) {
            arguments.add(parameters.get(i));
        }
        return arguments;
    }

    /** Reads an integer or a text. */
    private static final class Answer<T> extends CommandOutput<byte[], byte[], T> {

        private final ScriptCall<T> call;

        @SuppressWarnings("NullAway") // the base class takes null for "nothing yet"
        Answer(ScriptCall<T> call) {
            super(ByteArrayCodec.INSTANCE, null);
            this.call = call;
        }

        @Override
        public void set(long integer) {
            try {
                output = call.meaningOf(integer);
            } catch (RuntimeException e) {
                setError(e.getMessage());
            }
        }

        @Override
        public void set(ByteBuffer bytes) {
            try {
                output = call.meaningOf(StandardCharsets.UTF_8.decode(bytes).toString());
            } catch (RuntimeException e) {
                setError(e.getMessage());
            }
        }
    }
}
