CREATE TABLE IF NOT EXISTS orders (
    order_code VARCHAR(64) PRIMARY KEY,
    item       VARCHAR(255) NOT NULL,
    status     VARCHAR(16) NOT NULL,
    user_id    INT NOT NULL,
    changes    INT NOT NULL
);
