INSERT INTO orders (order_code, item, status, user_id, changes) VALUES
    ('A1001', 'tea', 'NOT_SENT', 1, 0),
    ('A1002', 'coffee', 'NOT_SENT', 2, 0),
    ('A1003', 'cocoa', 'FAILED', 3, 0);
