package io.distributionlock.redis;

import io.distributionlock.backend.TryAgainException;
import io.distributionlock.redis.LettuceScriptSender.LettuceCommand;
import io.distributionlock.redis.LockCall.CompareAndDelete;
import io.distributionlock.redis.LockCall.ScriptCall;
import io.distributionlock.redis.LockCall.SetIfAbsent;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.SetArgs;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call that Lettuce sends, and the future of its answer.
 *
 * <p>A script is sent as EVALSHA. If Redis does not know the script, it is sent once more as EVAL.
 */
final class LettuceScriptCommand<T> extends LettuceCommand<T> {

    private static final String UNKNOWN_SCRIPT = "NOSCRIPT";

    private final LockCall<T> call;
    private final LettuceScriptSender sender;
    private volatile @Nullable DedicatedConnection sentOver;

    LettuceScriptCommand(LockCall<T> call, LettuceScriptSender sender) {
        super(command(call, false));
        this.call = call;
        this.sender = sender;
    }

    /** Called before it is sent. */
    void isSentOver(DedicatedConnection connection) {
        sentOver = connection;
    }

    LockCall<T> call() {
        return call;
    }

    @Override
    public void complete() {
        DedicatedConnection over = Objects.requireNonNull(sentOver, "sentOver");
        String error = getOutput().getError();
        sender.answered(this, over, error);
        if (isDone() || error == null && getOutput().get() != null) {
            super.complete();
        } else if (error == null) {
            completeExceptionally(ScriptAnswers.unexpected("nothing"));
        } else if (error.startsWith(UNKNOWN_SCRIPT)) {
            sendInFull(over);
        } else if (RetryableErrors.isOne(error)) {
            completeExceptionally(new TryAgainException(error));
        } else {
            completeExceptionally(new RedisCommandExecutionException(error));
        }
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        DedicatedConnection connection = sentOver;
        boolean lost = connection != null && connection.isGivenUp() && !RedisErrorExplanations.isReply(failure);
        return super.completeExceptionally(
                lost
                        ? new TryAgainException("The connection was given up before there was an answer.", true)
                        : RedisErrorExplanations.explained(understood(failure), call, sender.names()));
    }

    /** Lettuce refuses an answer of another type than the command's in words that would say that this library cannot do it. */
    private static Throwable understood(Throwable failure) {
        return failure instanceof UnsupportedOperationException
                ? ScriptAnswers.unexpected("something of another type")
                : failure;
    }

    private void sendInFull(DedicatedConnection over) {
        LettuceCommand<T> again = new LettuceCommand<>(command(call, true));
        again.onComplete((reply, failure) -> {
            if (failure != null) {
                completeExceptionally(RetryableErrors.translate(failure));
            } else if (reply == null) {
                completeExceptionally(ScriptAnswers.unexpected("nothing"));
            } else {
                complete(reply);
            }
        });
        onComplete((reply, failure) -> {
            if (isCancelled()) {
                again.cancel(false);
            }
        });
        over.dispatch(again);
    }

    /** @param inFull whether to send the text of a script, which Redis may not know */
    @SuppressWarnings("unchecked") // other calls answer with a Boolean
    private static <T> Command<byte[], byte[], T> command(LockCall<T> call, boolean inFull) {
        if (call instanceof ScriptCall<T> script) {
            byte[] textOrSha1 =
                    inFull ? script.script().text() : script.script().sha1();
            return new Command<>(
                    inFull ? CommandType.EVAL : CommandType.EVALSHA,
                    new Answer<>(script),
                    arguments(textOrSha1, script));
        }
        return (Command<byte[], byte[], T>)
                (call instanceof CompareAndDelete delete ? delete(delete) : set((SetIfAbsent) call));
    }

    private static Command<byte[], byte[], Boolean> delete(CompareAndDelete call) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        arguments.addKey(call.key());
        call.arguments().forEach(arguments::add);
        return new Command<>(OtherCommand.valueOf(call.command()), new Done(), arguments);
    }

    private static Command<byte[], byte[], Boolean> set(SetIfAbsent call) {
        CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
        arguments.addKey(call.key()).add(call.claim());
        SetArgs.Builder.nx().px(call.leaseMillis()).build(arguments);
        return new Command<>(CommandType.SET, new Done(), arguments);
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

    /** Commands that not every supported version of Lettuce knows. */
    enum OtherCommand implements ProtocolKeyword {
        SPUBLISH,
        DELEX,
        DELIFEQ;

        private final byte[] bytes = name().getBytes(StandardCharsets.US_ASCII);

        @Override
        public byte[] getBytes() {
            return bytes;
        }
    }

    /** Reads "OK", or nothing if the key existed; or how many keys were deleted. */
    private static final class Done extends CommandOutput<byte[], byte[], Boolean> {

        Done() {
            super(ByteArrayCodec.INSTANCE, false);
        }

        @Override
        public void set(@Nullable ByteBuffer ok) {
            output = ok != null;
        }

        @Override
        public void set(long deleted) {
            output = deleted == 1;
        }
    }

    /** Reads a script's answer. */
    private static final class Answer<T> extends CommandOutput<byte[], byte[], T> {

        private final ScriptCall<T> call;

        @SuppressWarnings("NullAway") // the base class takes null for "nothing yet"
        Answer(ScriptCall<T> call) {
            super(ByteArrayCodec.INSTANCE, null);
            this.call = call;
        }

        /** What this throws becomes the failure of the command. */
        @Override
        public void set(@Nullable ByteBuffer bytes) {
            if (bytes == null) {
                throw ScriptAnswers.unexpected("nothing");
            }
            output = call.meaning().apply(StandardCharsets.UTF_8.decode(bytes).toString());
        }
    }
}
