CREATE TABLE distribution_lock_fence (
  lock_name VARCHAR(150) NOT NULL PRIMARY KEY,
  token BIGINT NOT NULL,
  holder CHAR(36) NOT NULL,
  announced_at TIMESTAMP NOT NULL
);
