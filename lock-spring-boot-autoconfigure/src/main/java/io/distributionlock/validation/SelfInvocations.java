package io.distributionlock.validation;

import io.distributionlock.annotation.LockProblem;
import io.distributionlock.interceptor.LockedMethod;
import io.distributionlock.reflect.MethodText;
import io.distributionlock.reflect.TypeHierarchy;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * Finds calls by which an object calls a locked method of itself: such a call does not pass through the proxy, so it is not
 * locked. Reads the bytecode of the class and its superclasses, including lambdas and method references.
 *
 * <p>Does not follow values. Where a method deals with no second object of its class (as a parameter, a field, a result or a cast),
 * a call can only be on {@code this}; where it does, nothing is reported, because the call may be on an injected proxy.
 */
final class SelfInvocations {

    private static final Log log = LogFactory.getLog(SelfInvocations.class);

    private final Class<?> userClass;
    private final Map<String, Class<?>> classes;
    private final Map<String, LockedMethod> locked = new HashMap<>();
    private final List<LockProblem> problems = new ArrayList<>();

    private SelfInvocations(Class<?> userClass, Collection<LockedMethod> lockedMethods) {
        this.userClass = userClass;
        this.classes = TypeHierarchy.of(userClass).stream()
                .filter(type -> !type.isInterface())
                .collect(Collectors.toMap(Type::getInternalName, type -> type));
        for (LockedMethod each : lockedMethods) {
            Method method = each.method();
            if (!Modifier.isStatic(method.getModifiers())) {
                locked.put(method.getName() + Type.getMethodDescriptor(method), each);
            }
        }
    }

    static List<LockProblem> find(Class<?> targetClass, List<LockedMethod> locked) {
        SelfInvocations search = new SelfInvocations(ClassUtils.getUserClass(targetClass), locked);
        search.classes.values().forEach(search::read);
        return search.problems;
    }

    private void read(Class<?> type) {
        try (InputStream bytes = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
            if (bytes != null) {
                new ClassReader(bytes).accept(new MethodsOf(type), ClassReader.SKIP_FRAMES);
            }
        } catch (IOException | IllegalArgumentException e) {
            log.debug("The bytecode of " + type.getName() + " cannot be read; it is not searched for self-calls", e);
        }
    }

    /** Whether a value of this type may be an object of the bean's class. Object and interfaces would need a cast to be called. */
    private boolean mayBeOwn(Type type) {
        Type element = type.getSort() == Type.ARRAY ? type.getElementType() : type;
        if (element.getSort() != Type.OBJECT || element.getClassName().startsWith("java.")) {
            return false;
        }
        if (classes.containsKey(element.getInternalName())) {
            return true;
        }
        try {
            Class<?> found = ClassUtils.forName(element.getClassName(), userClass.getClassLoader());
            return classes.values().stream().anyMatch(own -> own.isAssignableFrom(found));
        } catch (ClassNotFoundException | LinkageError e) {
            return true;
        }
    }

    private final class MethodsOf extends ClassVisitor {

        private final Class<?> type;

        MethodsOf(Class<?> type) {
            super(SpringAsmInfo.ASM_VERSION);
            this.type = type;
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            boolean readable = (access & (Opcodes.ACC_STATIC | Opcodes.ACC_BRIDGE)) == 0
                    && Stream.of(Type.getArgumentTypes(descriptor)).noneMatch(SelfInvocations.this::mayBeOwn);
            return readable ? new CallsIn(type, name, descriptor) : null;
        }
    }

    /** Collects the calls of one method, and reports them unless the method turns out to deal with another object of its class. */
    private final class CallsIn extends MethodVisitor {

        private static final Set<Integer> PRODUCING_TYPE = Set.of(Opcodes.NEW, Opcodes.CHECKCAST);

        private final Class<?> type;
        private final String caller;
        private final String descriptor;
        private final List<LockProblem> calls = new ArrayList<>();
        private boolean seesAnother;
        private int line;

        CallsIn(Class<?> type, String caller, String descriptor) {
            super(SpringAsmInfo.ASM_VERSION);
            this.type = type;
            this.caller = caller;
            this.descriptor = descriptor;
        }

        @Override
        public void visitLineNumber(int newLine, Label start) {
            line = newLine;
        }

        @Override
        public void visitTypeInsn(int opcode, String produced) {
            if (PRODUCING_TYPE.contains(opcode)) {
                sees(Type.getObjectType(produced));
            }
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String fieldType) {
            if (opcode == Opcodes.GETFIELD || opcode == Opcodes.GETSTATIC) {
                sees(Type.getType(fieldType));
            }
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String called, boolean isInterface) {
            sees(Type.getReturnType(called));
            boolean continuesUp = opcode == Opcodes.INVOKESPECIAL && name.equals(caller) && called.equals(descriptor);
            if (opcode != Opcodes.INVOKESTATIC && !continuesUp) {
                calls(owner, name + called);
            }
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String captured, Handle bootstrap, Object... arguments) {
            if (Stream.of(Type.getArgumentTypes(captured)).anyMatch(SelfInvocations.this::mayBeOwn)) {
                for (Object argument : arguments) {
                    if (argument instanceof Handle handle) {
                        calls(handle.getOwner(), handle.getName() + handle.getDesc());
                    }
                }
            }
        }

        private void sees(Type produced) {
            seesAnother = seesAnother || mayBeOwn(produced);
        }

        private void calls(String owner, String signature) {
            LockedMethod called = locked.get(signature);
            if (called != null && classes.containsKey(owner)) {
                calls.add(problem(called));
            }
        }

        private LockProblem problem(LockedMethod called) {
            String shown = caller.startsWith("lambda$") ? caller.split("\\$", -1)[1] : caller;
            return LockProblem.unlocked(
                    type.getName() + "." + shown + " (line " + line + ") calls " + MethodText.of(called.method())
                            + " on its own object, so the call does not pass through the proxy and is not locked.",
                    "Call it through another bean, or inject the bean into itself (ObjectProvider) and call that.");
        }

        @Override
        public void visitEnd() {
            if (!seesAnother) {
                problems.addAll(calls);
            }
        }
    }
}
