CREATE TABLE payment (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  reservationId INTEGER NOT NULL REFERENCES reservation (rid),
  stayId INTEGER REFERENCES stay (rid),
  currency TEXT NOT NULL,
  amount INTEGER NOT NULL,
  brand TEXT NOT NULL,
  brandText TEXT,
  customerReceipt TEXT,
  merchantReceipt TEXT,
  terminalTransactionId TEXT,
  voidedAt INTEGER
) STRICT;

CREATE TABLE payment_allotment (
  owner INTEGER NOT NULL REFERENCES payment (rid),
  position INTEGER NOT NULL,
  stayId INTEGER NOT NULL REFERENCES stay (rid),
  share INTEGER NOT NULL,
  PRIMARY KEY (owner, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX payment_allotment_stayId ON payment_allotment (stayId) WHERE stayId IS NOT NULL;

CREATE INDEX payment_reservationId ON payment (reservationId);

CREATE INDEX payment_stayId ON payment (stayId) WHERE stayId IS NOT NULL;

CREATE INDEX payment_createdAt ON payment (createdAt);

-- A booked service keeps the price for which it was booked.
ALTER TABLE stay_service ADD COLUMN currencyCode TEXT;
ALTER TABLE stay_service ADD COLUMN amountWithTax INTEGER;
ALTER TABLE stay_service ADD COLUMN amountWithoutTax INTEGER;
ALTER TABLE stay_service ADD COLUMN pricingType INTEGER;

UPDATE stay_service
SET count = coalesce(stay_service.count, service.count),
  currencyCode = service.currencyCode,
  amountWithTax = service.amountWithTax,
  amountWithoutTax = service.amountWithoutTax,
  pricingType = service.pricingType
FROM service WHERE service.rid = stay_service.serviceId;

-- Each stay says what is due on it, in minor units; nobody has paid anything yet.
ALTER TABLE stay ADD COLUMN due INTEGER;
ALTER TABLE stay ADD COLUMN paid INTEGER;
ALTER TABLE stay ADD COLUMN outstanding INTEGER;
ALTER TABLE stay ADD COLUMN currency TEXT;

CREATE TEMP TABLE minor (currency TEXT PRIMARY KEY, units INTEGER NOT NULL);

INSERT INTO minor (currency, units) VALUES
  ('BIF', 1), ('CLP', 1), ('DJF', 1), ('GNF', 1), ('ISK', 1), ('JPY', 1), ('KMF', 1), ('KRW', 1), ('PYG', 1),
  ('RWF', 1), ('UGX', 1), ('UYI', 1), ('VND', 1), ('VUV', 1), ('XAF', 1), ('XOF', 1), ('XPF', 1),
  ('BHD', 1000), ('IQD', 1000), ('JOD', 1000), ('KWD', 1000), ('LYD', 1000), ('OMR', 1000), ('TND', 1000),
  ('CLF', 10000), ('UYW', 10000);

-- An amount has no more decimals than its currency, so that rounding finds the exact one again.
CREATE TEMP TABLE price AS
SELECT stay.rid AS stay, amount ->> 'currency' AS currency,
  CAST(round((amount ->> 'amountWithTax') * coalesce(units, 100)) AS INTEGER) AS amount
FROM stay LEFT JOIN minor ON minor.currency = amount ->> 'currency'
WHERE amount IS NOT NULL
UNION ALL
SELECT owner, currencyCode, amountWithTax * coalesce(units, 100) / 10000 * CASE pricingType
    WHEN 12 THEN 1
    WHEN 19 THEN nights
    WHEN 20 THEN (personCount ->> 'adults') + coalesce(personCount ->> 'children', 0)
    WHEN 21 THEN nights * ((personCount ->> 'adults') + coalesce(personCount ->> 'children', 0))
    ELSE count
  END
FROM stay_service JOIN stay ON stay.rid = owner LEFT JOIN minor ON minor.currency = currencyCode;

UPDATE stay SET paid = 0;

UPDATE stay
SET due = total.amount, outstanding = total.amount, currency = total.currency
FROM (
  SELECT stay.rid AS stay, min(price.currency) AS currency,
    CASE WHEN status IN ('Canceled', 'NoShow') THEN 0 ELSE sum(price.amount) END AS amount
  FROM price JOIN stay ON stay.rid = price.stay
  GROUP BY stay.rid HAVING count(DISTINCT price.currency) = 1
) AS total
WHERE total.stay = stay.rid;

-- What a reservation says follows from its stays: those that owe something, or when none does all that have a price.
UPDATE reservation SET due = NULL, paid = 0, outstanding = NULL, currency = NULL;

UPDATE reservation
SET due = total.due, outstanding = total.due, currency = total.currency,
  paid = CASE WHEN currencies > 1 THEN NULL ELSE 0 END
FROM (
  SELECT reservationId, count(DISTINCT currency) AS currencies,
    CASE WHEN count(DISTINCT currency) = 1 THEN min(currency) END AS currency,
    CASE WHEN count(DISTINCT currency) = 1 THEN sum(due) END AS due
  FROM stay AS one
  WHERE due IS NOT NULL AND (due <> 0 OR NOT EXISTS (
    SELECT 1 FROM stay AS other WHERE other.reservationId = one.reservationId AND other.due <> 0
  ))
  GROUP BY reservationId
) AS total
WHERE total.reservationId = reservation.rid;

DROP TABLE price;
DROP TABLE minor;

-- Their documents show more than before.
UPDATE stay SET revision = revision + 1;
UPDATE reservation SET revision = revision + 1;
