-- Demo orders, in the profile dev only. They are moved from a table of their own, so that what you delete stays deleted.

CREATE TABLE IF NOT EXISTS demo_orders AS
SELECT * FROM (VALUES ('A1001', 1), ('A1002', 1), ('A1003', 2), ('A1004', 3), ('A1005', 4)) AS demo (order_code, status);

INSERT INTO orders (order_code, status)
SELECT order_code, status FROM demo_orders WHERE order_code NOT IN (SELECT order_code FROM orders);

-- Only those: another instance may have created the table meanwhile, and not moved its rows yet.
DELETE FROM demo_orders WHERE order_code IN (SELECT order_code FROM orders);
