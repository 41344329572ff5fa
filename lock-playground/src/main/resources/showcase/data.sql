-- What a new database begins with: three sales (running, not started, ended), a queue, a price and three accounts.

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
