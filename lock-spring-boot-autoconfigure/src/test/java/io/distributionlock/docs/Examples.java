package io.distributionlock.docs;

import io.distributionlock.LockTemplate;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What the snippets of the documentation take for granted: the types and methods of some application. */
public final class Examples {

    private Examples() {}

    public record Customer(int id) {}

    public record Order(
            String code, Integer status, @Nullable Customer customer) {

        public Order(String code, Integer status) {
            this(code, status, null);
        }

        public Order(String code, Customer customer) {
            this(code, 1, customer);
        }
    }

    public record Resp<T>(
            int code, String message, @Nullable T data) {

        public static <T> Resp<T> buildSuccess(String message, T data) {
            return new Resp<>(0, message, data);
        }

        public static <T> Resp<T> buildFail(String message) {
            return new Resp<>(1, message, null);
        }
    }

    public record Tenant(String id) {}

    public interface Page {
        void write(long fencingToken);
    }

    /** A real database, empty at first. */
    public static final JdbcTemplate jdbc =
            new JdbcTemplate(new DriverManagerDataSource("jdbc:h2:mem:examples;DB_CLOSE_DELAY=-1"));

    public static String change(String orderCode) {
        return "changed " + orderCode;
    }

    public static void alarm(String text) {
        throw new AssertionError("Nothing in the documentation is meant to go wrong: " + text);
    }

    /** What snippets use without declaring it. */
    public abstract static class Beans {

        @Autowired(required = false)
        protected LockTemplate lockTemplate;
    }
}
