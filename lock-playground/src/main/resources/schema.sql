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

-- The running instances, so that they find each other. seen_at is in milliseconds since 1970.
CREATE TABLE IF NOT EXISTS instances (
  name    VARCHAR(128) PRIMARY KEY,
  url     VARCHAR(256) NOT NULL,
  seen_at BIGINT NOT NULL
);

-- The tables below have no constraints against wrong rows, so that the page can show what goes wrong without the lock. In your
-- application, let the data refuse such rows as well: UNIQUE (item, user_id), CHECK (stock >= 0) and the like.

CREATE TABLE IF NOT EXISTS flash_sales (
  item      VARCHAR(64) PRIMARY KEY,
  stock     INTEGER NOT NULL,
  starts_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  ends_at   TIMESTAMP(3) WITH TIME ZONE NOT NULL
);

CREATE TABLE IF NOT EXISTS flash_sale_orders (
  seq     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  item    VARCHAR(64) NOT NULL,
  user_id INTEGER NOT NULL
);

CREATE INDEX IF NOT EXISTS flash_sale_orders_item ON flash_sale_orders (item, user_id);

CREATE TABLE IF NOT EXISTS last_item_sales (
  seq    BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  item   VARCHAR(64) NOT NULL,
  seller VARCHAR(128) NOT NULL
);

CREATE TABLE IF NOT EXISTS addresses (
  id         BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id    INTEGER NOT NULL,
  street     VARCHAR(128) NOT NULL,
  is_default BOOLEAN NOT NULL
);

CREATE INDEX IF NOT EXISTS addresses_user ON addresses (user_id);

CREATE TABLE IF NOT EXISTS job_runs (
  seq      BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  turn     VARCHAR(64) NOT NULL,
  instance VARCHAR(128) NOT NULL
);

CREATE TABLE IF NOT EXISTS accounts (
  account VARCHAR(64) PRIMARY KEY,
  balance BIGINT NOT NULL
);

CREATE TABLE IF NOT EXISTS queues (
  queue  VARCHAR(64) PRIMARY KEY,
  places INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS tickets (
  seq     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  queue   VARCHAR(64) NOT NULL,
  visitor VARCHAR(64) NOT NULL,
  place   INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS catalogue (
  item       VARCHAR(64) PRIMARY KEY,
  net        BIGINT NOT NULL,
  gross      BIGINT NOT NULL,
  torn_reads INTEGER NOT NULL
);

CREATE TABLE IF NOT EXISTS invoices (
  seq        BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_code VARCHAR(64) NOT NULL,
  number     INTEGER NOT NULL
);

CREATE INDEX IF NOT EXISTS invoices_order ON invoices (order_code, number);
