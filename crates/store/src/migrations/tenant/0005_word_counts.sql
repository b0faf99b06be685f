-- How often a document's words came or went, ever: what was counted before is judged by how much has changed since.
ALTER TABLE corpus ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
