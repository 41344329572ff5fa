-- Every instance runs this at every start. It works on H2 and PostgreSQL; for another database, create the tables yourself and set
-- spring.sql.init.mode=never.

CREATE TABLE IF NOT EXISTS orders (
  order_code VARCHAR(64) PRIMARY KEY,
  status     INTEGER NOT NULL,
  updated_by INTEGER,
  changes    INTEGER DEFAULT 0 NOT NULL
);
-- A database of an earlier start has no such column.
ALTER TABLE orders ADD COLUMN IF NOT EXISTS changes INTEGER DEFAULT 0 NOT NULL;

CREATE TABLE IF NOT EXISTS order_work_log (
  seq        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at         TIMESTAMP(6) WITH TIME ZONE DEFAULT CURRENT_TIMESTAMP NOT NULL,
  order_code VARCHAR(128) NOT NULL,
  instance   VARCHAR(128) NOT NULL,
  thread     VARCHAR(128) NOT NULL,
  event      VARCHAR(16) NOT NULL
);
