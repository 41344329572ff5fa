package io.distributionlock.aop;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;

/**
 * Follows the operand stack of one method only as far as to know which slots hold {@code this}, so that a call on
 * {@code this} can be told from the same call on another object, such as an injected proxy of the same class.
 */
final class SelfCallFinder extends MethodVisitor {

    /** Told of every call on {@code this}, and every reference to a method of it. */
    interface Listener {
        void called(String owner, String name, String descriptor, boolean onSuper, int line);
    }

    private final boolean isStatic;
    private final Listener listener;
    private final List<Boolean> stack = new ArrayList<>();
    private final Map<Label, List<Boolean>> stacksAtLabels = new HashMap<>();
    private boolean unreachable;
    private int line;

    SelfCallFinder(boolean isStatic, Listener listener) {
        super(SpringAsmInfo.ASM_VERSION);
        this.isStatic = isStatic;
        this.listener = listener;
    }

    // ------------------------------------------------------------------ the stack

    private void push(int slots) {
        for (int i = 0; i < slots; i++) {
            stack.add(false);
        }
    }

    private boolean pop() {
        // An empty stack here would mean that the flow was lost; then nothing is known to be this.
        return !stack.isEmpty() && stack.remove(stack.size() - 1);
    }

    private void pop(int slots) {
        for (int i = 0; i < slots; i++) {
            pop();
        }
    }

    private void apply(int opcode) {
        pop(StackEffects.taken(opcode));
        push(StackEffects.given(opcode));
    }

    /** Repeats the upper slots further down: what the dup instructions do. */
    private void duplicate(int slots, int below) {
        int size = stack.size();
        if (size >= slots + below) {
            stack.addAll(size - slots - below, new ArrayList<>(stack.subList(size - slots, size)));
        }
    }

    private void jumpTo(Label label) {
        stacksAtLabels.putIfAbsent(label, new ArrayList<>(stack));
    }

    // ------------------------------------------------------------------ the instructions

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
        stacksAtLabels.put(handler, new ArrayList<>(List.of(false)));
    }

    @Override
    public void visitLabel(Label label) {
        List<Boolean> known = stacksAtLabels.get(label);
        if (unreachable) {
            stack.clear();
            if (known != null) {
                stack.addAll(known);
            }
            unreachable = false;
        }
    }

    @Override
    public void visitLineNumber(int newLine, Label start) {
        line = newLine;
    }

    @Override
    public void visitInsn(int opcode) {
        switch (opcode) {
            case Opcodes.DUP -> duplicate(1, 0);
            case Opcodes.DUP_X1 -> duplicate(1, 1);
            case Opcodes.DUP_X2 -> duplicate(1, 2);
            case Opcodes.DUP2 -> duplicate(2, 0);
            case Opcodes.DUP2_X1 -> duplicate(2, 1);
            case Opcodes.DUP2_X2 -> duplicate(2, 2);
            case Opcodes.SWAP -> {
                duplicate(1, 1);
                pop();
            }
            default -> apply(opcode);
        }
        if ((opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) || opcode == Opcodes.ATHROW) {
            unreachable = true;
        }
    }

    @Override
    public void visitVarInsn(int opcode, int variable) {
        if (opcode == Opcodes.ALOAD) {
            stack.add(variable == 0 && !isStatic);
        } else {
            apply(opcode);
        }
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        apply(opcode);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        if (opcode != Opcodes.CHECKCAST) {
            apply(opcode);
        }
    }

    @Override
    public void visitLdcInsn(Object value) {
        push(value instanceof Long || value instanceof Double ? 2 : 1);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        int size = Type.getType(descriptor).getSize();
        switch (opcode) {
            case Opcodes.GETSTATIC -> push(size);
            case Opcodes.PUTSTATIC -> pop(size);
            case Opcodes.GETFIELD -> {
                pop();
                push(size);
            }
            default -> pop(size + 1);
        }
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        pop(argumentSlots(descriptor));
        if (opcode != Opcodes.INVOKESTATIC && pop()) {
            listener.called(owner, name, descriptor, opcode == Opcodes.INVOKESPECIAL, line);
        }
        push(Type.getReturnType(descriptor).getSize());
    }

    @Override
    public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... bootstrapArguments) {
        boolean capturesThis = false;
        for (int i = argumentSlots(descriptor); i > 0; i--) {
            capturesThis |= pop();
        }
        for (Object argument : bootstrapArguments) {
            if (capturesThis && argument instanceof Handle handle) {
                listener.called(handle.getOwner(), handle.getName(), handle.getDesc(), false, line);
            }
        }
        push(Type.getReturnType(descriptor).getSize());
    }

    private static int argumentSlots(String descriptor) {
        int slots = 0;
        for (Type argument : Type.getArgumentTypes(descriptor)) {
            slots += argument.getSize();
        }
        return slots;
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        apply(opcode);
        jumpTo(label);
        unreachable = opcode == Opcodes.GOTO;
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label defaultLabel, Label... labels) {
        visitSwitch(defaultLabel, labels);
    }

    @Override
    public void visitLookupSwitchInsn(Label defaultLabel, int[] keys, Label[] labels) {
        visitSwitch(defaultLabel, labels);
    }

    private void visitSwitch(Label defaultLabel, Label[] labels) {
        pop();
        jumpTo(defaultLabel);
        for (Label label : labels) {
            jumpTo(label);
        }
        unreachable = true;
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        pop(dimensions);
        push(1);
    }
}
