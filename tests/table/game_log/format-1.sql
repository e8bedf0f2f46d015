PRAGMA application_id = 1382115692;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE crop (
    seq INTEGER NOT NULL REFERENCES event,
    number INTEGER NOT NULL,
    jpeg BLOB NOT NULL,
    PRIMARY KEY (seq, number)
) STRICT;
INSERT INTO "crop" VALUES(2,0,X'FFD8FFE000');
CREATE TABLE event (
    seq INTEGER PRIMARY KEY CHECK (seq > 0),
    at_s REAL NOT NULL,
    kind TEXT NOT NULL,
    format INTEGER NOT NULL,
    fact TEXT NOT NULL
) STRICT;
INSERT INTO "event" VALUES(1,1790000000.5,'game_started',1,'{"kind":"game_started","edition":"usa","players":[{"seat":"ann","colour":"red","name":"Ann"},{"seat":"bob","colour":"blue","name":"Bob"}],"name":"Friday"}');
INSERT INTO "event" VALUES(2,1790000010.25,'route_claimed',1,'{"kind":"route_claimed","colour":"red","by":"camera","sure":0.97,"route":"helena--seattle"}');
INSERT INTO "event" VALUES(3,1790000020.0,'claim_corrected',1,'{"kind":"claim_corrected","was":"red","now":"blue","route":"helena--seattle"}');
INSERT INTO "event" VALUES(4,1790000021.0,'game_renamed',1,'{"kind":"game_renamed","name":"Sunday"}');
INSERT INTO "event" VALUES(5,1790000022.0,'ticket_taken',1,'{"kind":"ticket_taken","seat":"ann","ticket":{"a":"calgary","b":"phoenix"}}');
INSERT INTO "event" VALUES(6,1790000022.0,'ticket_revealed',1,'{"kind":"ticket_revealed","seat":"ann","ticket":{"a":"calgary","b":"phoenix"}}');
INSERT INTO "event" VALUES(7,1790000023.0,'turn_marked',1,'{"kind":"turn_marked","seat":"bob"}');
INSERT INTO "event" VALUES(8,1790000024.0,'undone',1,'{"kind":"undone","event":7}');
CREATE TRIGGER event_is_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'kept'); END;
CREATE TRIGGER event_is_fact BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'never edited'); END;
COMMIT;
