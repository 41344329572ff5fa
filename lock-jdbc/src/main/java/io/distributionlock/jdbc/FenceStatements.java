package io.distributionlock.jdbc;

import io.distributionlock.internal.TableName;

/** The statements on the table of one name. */
final class FenceStatements {

    private final String table;

    FenceStatements(String table) {
        if (!TableName.is(table)) {
            throw new IllegalArgumentException(
                    "The name of a table consists of letters, digits and '_', with its schema and a '.' before"
                            + " it if that is not the default one.");
        }
        this.table = table;
    }

    String raise() {
        return "UPDATE " + table
                + " SET token = ?, holder = ?, announced_at = CURRENT_TIMESTAMP WHERE lock_name = ? AND token <= ?";
    }

    String insert() {
        return "INSERT INTO " + table + " (lock_name, token, holder, announced_at) VALUES (?, ?, ?, CURRENT_TIMESTAMP)";
    }

    String read() {
        return "SELECT token, holder FROM " + table + " WHERE lock_name = ?";
    }

    /** As {@link #read}, and keeps the row from being changed or deleted until the transaction has ended. */
    String lock(String product) {
        return "Microsoft SQL Server".equals(product)
                ? "SELECT token, holder FROM " + table + " WITH (UPDLOCK, ROWLOCK) WHERE lock_name = ?"
                : read() + " FOR UPDATE";
    }

    String youngest() {
        return "SELECT MAX(announced_at) FROM " + table;
    }

    String old() {
        return "SELECT lock_name, holder FROM " + table + " WHERE announced_at < ?";
    }

    String delete() {
        return "DELETE FROM " + table + " WHERE lock_name = ? AND holder = ?";
    }
}
