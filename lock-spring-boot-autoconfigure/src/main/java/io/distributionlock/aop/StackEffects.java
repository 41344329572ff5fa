package io.distributionlock.aop;

import org.springframework.asm.Opcodes;

/** How many slots each instruction takes from the operand stack and puts there (The Java Virtual Machine Specification, 6.5). */
final class StackEffects {

    private static final int[] TAKEN = new int[256];
    private static final int[] GIVEN = new int[256];

    static {
        set(Opcodes.ACONST_NULL, Opcodes.ICONST_5, 0, 1);
        set(Opcodes.LCONST_0, Opcodes.LCONST_1, 0, 2);
        set(Opcodes.FCONST_0, Opcodes.FCONST_2, 0, 1);
        set(Opcodes.DCONST_0, Opcodes.DCONST_1, 0, 2);
        set(Opcodes.BIPUSH, Opcodes.SIPUSH, 0, 1);
        ofTypes(Opcodes.ILOAD, 0, 0, 1, 2);
        set(Opcodes.ALOAD, Opcodes.ALOAD, 0, 1);
        ofTypes(Opcodes.IALOAD, 2, 2, 1, 2);
        set(Opcodes.AALOAD, Opcodes.SALOAD, 2, 1);
        ofTypes(Opcodes.ISTORE, 1, 2, 0, 0);
        set(Opcodes.ASTORE, Opcodes.ASTORE, 1, 0);
        ofTypes(Opcodes.IASTORE, 3, 4, 0, 0);
        set(Opcodes.AASTORE, Opcodes.SASTORE, 3, 0);
        set(Opcodes.POP, Opcodes.POP, 1, 0);
        set(Opcodes.POP2, Opcodes.POP2, 2, 0);
        for (int binary = Opcodes.IADD; binary <= Opcodes.IREM; binary += 4) {
            ofTypes(binary, 2, 4, 1, 2);
        }
        ofTypes(Opcodes.INEG, 1, 2, 1, 2);
        for (int shift = Opcodes.ISHL; shift <= Opcodes.IUSHR; shift += 2) {
            set(shift, shift, 2, 1);
            set(shift + 1, shift + 1, 3, 2);
        }
        for (int logic = Opcodes.IAND; logic <= Opcodes.IXOR; logic += 2) {
            set(logic, logic, 2, 1);
            set(logic + 1, logic + 1, 4, 2);
        }
        conversions();
        set(Opcodes.LCMP, Opcodes.LCMP, 4, 1);
        set(Opcodes.FCMPL, Opcodes.FCMPG, 2, 1);
        set(Opcodes.DCMPL, Opcodes.DCMPG, 4, 1);
        set(Opcodes.IFEQ, Opcodes.IFLE, 1, 0);
        set(Opcodes.IF_ICMPEQ, Opcodes.IF_ACMPNE, 2, 0);
        set(Opcodes.TABLESWITCH, Opcodes.LOOKUPSWITCH, 1, 0);
        set(Opcodes.NEW, Opcodes.NEW, 0, 1);
        set(Opcodes.NEWARRAY, Opcodes.ARRAYLENGTH, 1, 1);
        set(Opcodes.INSTANCEOF, Opcodes.INSTANCEOF, 1, 1);
        set(Opcodes.MONITORENTER, Opcodes.MONITOREXIT, 1, 0);
        set(Opcodes.IFNULL, Opcodes.IFNONNULL, 1, 0);
    }

    private StackEffects() {}

    private static void conversions() {
        int[] given = {2, 1, 2, 1, 1, 2, 1, 2, 2, 1, 2, 1};
        for (int i = 0; i < given.length; i++) {
            boolean fromWide = i / 3 == 1 || i / 3 == 3;
            set(Opcodes.I2L + i, Opcodes.I2L + i, fromWide ? 2 : 1, given[i]);
        }
        set(Opcodes.I2B, Opcodes.I2S, 1, 1);
    }

    private static void set(int first, int last, int taken, int given) {
        for (int opcode = first; opcode <= last; opcode++) {
            TAKEN[opcode] = taken;
            GIVEN[opcode] = given;
        }
    }

    /** Four instructions in a row, for int, long, float and double, of which the second and fourth are wide. */
    private static void ofTypes(int first, int takenNarrow, int takenWide, int givenNarrow, int givenWide) {
        for (int i = 0; i < 4; i += 2) {
            set(first + i, first + i, takenNarrow, givenNarrow);
            set(first + i + 1, first + i + 1, takenWide, givenWide);
        }
    }

    static int taken(int opcode) {
        return TAKEN[opcode];
    }

    static int given(int opcode) {
        return GIVEN[opcode];
    }
}
