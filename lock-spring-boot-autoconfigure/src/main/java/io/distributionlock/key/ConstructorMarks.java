package io.distributionlock.key;

import io.distributionlock.annotation.DistributionLockParam;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Label;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;

/** Marks on the parameters of constructors, which is where Kotlin puts those of {@code class Order(@DistributionLockParam val id: String)}. */
final class ConstructorMarks {

    private static final Log log = LogFactory.getLog(ConstructorMarks.class);

    private ConstructorMarks() {}

    /** The marks by the names of their parameters; by a description where the name is unknown. */
    static Map<String, DistributionLockParam> of(Class<?> declaring) {
        Map<String, DistributionLockParam> found = new LinkedHashMap<>();
        for (Constructor<?> constructor : declaring.getDeclaredConstructors()) {
            Parameter[] parameters = constructor.getParameters();
            for (int i = 0; i < parameters.length; i++) {
                DistributionLockParam mark = parameters[i].getAnnotations().length == 0
                        ? null
                        : MergedAnnotations.from(parameters[i])
                                .get(DistributionLockParam.class)
                                .synthesize(annotation -> annotation.isPresent())
                                .orElse(null);
                if (mark != null) {
                    found.putIfAbsent(nameOf(constructor, i), mark);
                }
            }
        }
        return found;
    }

    private static String nameOf(Constructor<?> constructor, int index) {
        Parameter parameter = constructor.getParameters()[index];
        String name = parameter.isNamePresent() ? parameter.getName() : nameForDebuggers(constructor, index);
        return name == null ? "constructor parameter " + (index + 1) : name;
    }

    /** Debug information: Kotlin and most Java builds write it even without {@code -parameters}. */
    private static @Nullable String nameForDebuggers(Constructor<?> constructor, int index) {
        Class<?> type = constructor.getDeclaringClass();
        NameReader reader = new NameReader(constructor, index);
        try (InputStream bytes = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
            if (bytes != null) {
                new ClassReader(bytes).accept(reader, ClassReader.SKIP_FRAMES);
            }
        } catch (IOException e) {
            log.debug("The names of the constructor parameters of " + type.getName() + " cannot be read", e);
        }
        return reader.found;
    }

    private static final class NameReader extends ClassVisitor {

        private final String descriptor;
        private final int slot;
        private @Nullable String found;

        NameReader(Constructor<?> constructor, int index) {
            super(SpringAsmInfo.ASM_VERSION);
            this.descriptor = Type.getConstructorDescriptor(constructor);
            this.slot = 1
                    + Stream.of(Type.getArgumentTypes(descriptor))
                            .limit(index)
                            .mapToInt(Type::getSize)
                            .sum();
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access, String name, String actual, @Nullable String signature, String @Nullable [] exceptions) {
            if (!name.equals("<init>") || !actual.equals(descriptor)) {
                return null;
            }
            return new MethodVisitor(SpringAsmInfo.ASM_VERSION) {
                @Override
                public void visitLocalVariable(
                        String variable, String type, @Nullable String generic, Label start, Label end, int at) {
                    if (at == slot && found == null) {
                        found = variable;
                    }
                }
            };
        }
    }
}
