CREATE TABLE distribution_lock_fence (
  lock_name VARCHAR2(150 CHAR) NOT NULL PRIMARY KEY,
  token NUMBER(19) NOT NULL,
  holder CHAR(36 CHAR) NOT NULL,
  announced_at TIMESTAMP NOT NULL
);
