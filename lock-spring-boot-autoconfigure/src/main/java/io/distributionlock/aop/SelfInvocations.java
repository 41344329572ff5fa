package io.distributionlock.aop;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * Finds calls by which an object calls a locked method of itself: such a call does not pass the proxy, so it is not locked.
 * Reads the bytecode of the class and its superclasses, calls in lambdas and method references included.
 */
final class SelfInvocations {

    private static final Log log = LogFactory.getLog(SelfInvocations.class);

    private SelfInvocations() {}

    static List<LockProblem> find(Class<?> targetClass, List<LockedMethod> locked) {
        Class<?> userClass = ClassUtils.getUserClass(targetClass);
        Set<Class<?>> hierarchy = TypeHierarchy.of(userClass);
        Set<String> owners = hierarchy.stream().map(Type::getInternalName).collect(Collectors.toSet());
        Map<String, LockedMethod> bySignature = new TreeMap<>();
        for (LockedMethod method : locked) {
            if (!Modifier.isStatic(method.method().getModifiers())) {
                bySignature.put(method.method().getName() + Type.getMethodDescriptor(method.method()), method);
            }
        }
        List<LockProblem> problems = new ArrayList<>();
        for (Class<?> type : hierarchy) {
            if (!type.isInterface()) {
                read(type, new CallReader(type, owners, bySignature, problems));
            }
        }
        return problems;
    }

    private static void read(Class<?> type, ClassVisitor visitor) {
        try (InputStream bytes = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
            if (bytes != null) {
                new ClassReader(bytes).accept(visitor, ClassReader.SKIP_FRAMES);
            }
        } catch (IOException | IllegalArgumentException e) {
            log.debug(
                    "The bytecode of " + type.getName() + " cannot be read, so it is not searched for calls of itself",
                    e);
        }
    }

    /** Reads one class. */
    private static final class CallReader extends ClassVisitor {

        private final Class<?> type;
        private final Set<String> owners;
        private final Map<String, LockedMethod> locked;
        private final List<LockProblem> problems;

        CallReader(Class<?> type, Set<String> owners, Map<String, LockedMethod> locked, List<LockProblem> problems) {
            super(SpringAsmInfo.ASM_VERSION);
            this.type = type;
            this.owners = owners;
            this.locked = locked;
            this.problems = problems;
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String caller,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            return new SelfCallFinder(Modifier.isStatic(access), (owner, name, desc, onSuper, line) -> {
                LockedMethod called = locked.get(name + desc);
                boolean continuesUp = onSuper && name.equals(caller) && desc.equals(descriptor);
                boolean isBridge = (access & BRIDGE) != 0;
                if (called != null && owners.contains(owner) && !continuesUp && !isBridge) {
                    problems.add(problem(called, caller, line));
                }
            });
        }

        /** The flag of a method that the compiler wrote; the same bit is "volatile" on fields. */
        private static final int BRIDGE = Modifier.VOLATILE;

        private LockProblem problem(LockedMethod called, String caller, int line) {
            String shown = caller.startsWith("lambda$") ? caller.split("\\$", -1)[1] : caller;
            return LockProblem.unlocked(
                    type.getName() + "." + shown + " (line " + line + ") calls " + MethodText.of(called.method())
                            + " of its own object, so the call does not pass the proxy and is not locked.",
                    "Call it through another bean, or inject the bean into itself (ObjectProvider) and call that.");
        }
    }
}
