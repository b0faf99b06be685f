-- The key of the hashes on receipts. It lies apart from the tenants' files: who has only those cannot tell which ids a receipt
-- is about.
CREATE TABLE receipt_key (
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    bytes BLOB NOT NULL CHECK (length(bytes) = 32)
);
