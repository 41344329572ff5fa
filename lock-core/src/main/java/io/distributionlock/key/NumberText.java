package io.distributionlock.key;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/** The text of a number that equal numbers print differently, or that Java versions do. */
final class NumberText {

    /** With a larger scale, the plain form of a {@link BigDecimal} would be mostly zeros. */
    private static final int PLAIN_DIGITS = 100;

    /** A thousand digits and some: to write more digits takes longer than in proportion. */
    private static final int MAX_NUMBER_BITS = 3_400;

    /** This many digits distinguish every {@code double} from its neighbours. */
    private static final int MAX_DIGITS_OF_DOUBLE = 17;

    private NumberText() {}

    /** @throws UnsuitableValueException if it is too long */
    static String of(Number number) {
        if (number instanceof BigInteger integer) {
            return ofFewDigits(integer).toString();
        }
        if (number instanceof BigDecimal decimal) {
            ofFewDigits(decimal.unscaledValue());
            BigDecimal canonical = decimal.stripTrailingZeros();
            boolean plain = Math.abs((long) canonical.scale()) <= PLAIN_DIGITS;
            return plain ? canonical.toPlainString() : canonical.toString();
        }
        return ofDouble(number.doubleValue(), number instanceof Float);
    }

    private static BigInteger ofFewDigits(BigInteger number) {
        if (number.bitLength() > MAX_NUMBER_BITS) {
            throw new UnsuitableValueException(
                    "a number of more than 1,000 digits", "Validate it before, or use another value.");
        }
        return number;
    }

    /**
     * The shortest rounding that means this number, whatever the version of Java: before 19, it prints a digit more for some; from 19 on,
     * a digit less for few powers of two, for which it does not round.
     */
    private static String ofDouble(double value, boolean isFloat) {
        if (value == 0 || Double.isNaN(value) || Double.isInfinite(value)) {
            // Adding zero turns -0.0 into 0.0.
            return Double.toString(value + 0.0d);
        }
        BigDecimal exact = new BigDecimal(Math.abs(value));
        int digits = 2;
        BigDecimal rounded = round(exact, digits);
        while (digits < MAX_DIGITS_OF_DOUBLE && !isSame(rounded, Math.abs(value), isFloat)) {
            rounded = round(exact, ++digits);
        }
        return (value < 0 ? "-" : "") + text(rounded.stripTrailingZeros());
    }

    private static BigDecimal round(BigDecimal exact, int digits) {
        return exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
    }

    private static boolean isSame(BigDecimal rounded, double value, boolean isFloat) {
        return isFloat ? rounded.floatValue() == value : rounded.doubleValue() == value;
    }

    private static String text(BigDecimal number) {
        int exponent = number.precision() - number.scale() - 1;
        boolean plain = exponent >= -3 && exponent < 7;
        BigDecimal shown = plain ? number : number.scaleByPowerOfTen(-exponent);
        return shown.setScale(Math.max(1, shown.scale())).toPlainString() + (plain ? "" : "E" + exponent);
    }
}
