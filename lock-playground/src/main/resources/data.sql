-- What a new database begins with.

-- Five orders. They are moved from a table of their own, so that what you delete stays deleted.

CREATE TABLE IF NOT EXISTS demo_orders AS
SELECT * FROM (VALUES ('A1001', 1), ('A1002', 1), ('A1003', 2), ('A1004', 3), ('A1005', 4)) AS demo (order_code, status);

INSERT INTO orders (order_code, status)
SELECT order_code, status FROM demo_orders WHERE order_code NOT IN (SELECT order_code FROM orders);

-- Only those: another instance may have created the table meanwhile, and not moved its rows yet.
DELETE FROM demo_orders WHERE order_code IN (SELECT order_code FROM orders);

-- Three sales (running, not started, ended), a queue, a price and three accounts.

INSERT INTO flash_sales (item, stock, starts_at, ends_at)
SELECT 'tea', 100, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP + INTERVAL '10' YEAR
WHERE NOT EXISTS (SELECT 1 FROM flash_sales WHERE item = 'tea');

INSERT INTO flash_sales (item, stock, starts_at, ends_at)
SELECT 'coffee', 100, CURRENT_TIMESTAMP + INTERVAL '10' YEAR, CURRENT_TIMESTAMP + INTERVAL '20' YEAR
WHERE NOT EXISTS (SELECT 1 FROM flash_sales WHERE item = 'coffee');

INSERT INTO flash_sales (item, stock, starts_at, ends_at)
SELECT 'cocoa', 100, CURRENT_TIMESTAMP - INTERVAL '10' YEAR, CURRENT_TIMESTAMP
WHERE NOT EXISTS (SELECT 1 FROM flash_sales WHERE item = 'cocoa');

INSERT INTO queues (queue, places)
SELECT 'museum', 10
WHERE NOT EXISTS (SELECT 1 FROM queues WHERE queue = 'museum');

INSERT INTO catalogue (item, net, gross, torn_reads)
SELECT 'tea', 500, 600, 0
WHERE NOT EXISTS (SELECT 1 FROM catalogue WHERE item = 'tea');

INSERT INTO accounts (account, balance)
SELECT name, 100000 FROM (VALUES ('alice'), ('bob'), ('carol')) AS first (name)
WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE account = name);
