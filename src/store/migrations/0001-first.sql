-- What happened, in the order it happened: for events, sync and audit alike.
CREATE TABLE journal (
  sequence INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  type TEXT NOT NULL,
  subject TEXT NOT NULL,
  data TEXT NOT NULL,
  actor TEXT NOT NULL,
  requestId TEXT
) STRICT;

-- What was answered to an idempotency key.
CREATE TABLE idempotency (
  key TEXT PRIMARY KEY,
  fingerprint TEXT NOT NULL,
  output TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_at ON idempotency (at);

-- The place a deleted row had in every order.
CREATE TABLE tombstone (
  id BLOB PRIMARY KEY,
  type TEXT NOT NULL,
  rid INTEGER NOT NULL,
  deletedAt INTEGER NOT NULL,
  cursor TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX tombstone_deletedAt ON tombstone (deletedAt);

CREATE INDEX tombstone_type_rid ON tombstone (type, rid);

CREATE TABLE counter (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  timeZone TEXT NOT NULL,
  checkInTime TEXT NOT NULL,
  checkOutTime TEXT NOT NULL,
  country TEXT NOT NULL,
  assignableStatuses TEXT,
  inspectionRequired INTEGER,
  allowOpenBalance INTEGER,
  acceptHousekeepingFrom TEXT,
  autoMaterialize INTEGER,
  tenantId TEXT,
  retentionDays INTEGER
) STRICT;

CREATE TABLE property (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  enabled INTEGER NOT NULL,
  address TEXT NOT NULL,
  code TEXT
) STRICT;

CREATE TABLE amenity (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  code TEXT NOT NULL,
  name TEXT NOT NULL,
  names TEXT,
  category TEXT,
  otaCode INTEGER,
  scope TEXT
) STRICT;

CREATE UNIQUE INDEX amenity_code ON amenity (code);

CREATE TABLE unit_type (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  code TEXT NOT NULL,
  maxOccupancy INTEGER,
  maxAdults INTEGER,
  maxChildren INTEGER
) STRICT;

CREATE TABLE unit_type_amenity (
  owner INTEGER NOT NULL REFERENCES unit_type (rid),
  position INTEGER NOT NULL,
  amenityId INTEGER NOT NULL REFERENCES amenity (rid),
  PRIMARY KEY (owner, position)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX unit_type_code ON unit_type (code);

CREATE TABLE unit (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  floor TEXT,
  status TEXT,
  unitTypeId INTEGER REFERENCES unit_type (rid),
  priority INTEGER,
  occupied INTEGER,
  idleSince INTEGER
) STRICT;

CREATE TABLE unit_amenity (
  owner INTEGER NOT NULL REFERENCES unit (rid),
  position INTEGER NOT NULL,
  amenityId INTEGER NOT NULL REFERENCES amenity (rid),
  PRIMARY KEY (owner, position)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX unit_name ON unit (name);

CREATE INDEX unit_unitTypeId ON unit (unitTypeId);

CREATE TABLE profile (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  firstName TEXT NOT NULL,
  middleName TEXT,
  lastName TEXT NOT NULL,
  nationality TEXT,
  companyName TEXT,
  profileType TEXT,
  title TEXT,
  languageCode TEXT,
  birthDate TEXT,
  gender TEXT,
  addresses TEXT,
  emails TEXT,
  phoneNumbers TEXT,
  number TEXT,
  externalId TEXT,
  normalizedName TEXT
) STRICT;

CREATE INDEX profile_lastName ON profile (lastName);

CREATE INDEX profile_externalId ON profile (externalId) WHERE externalId IS NOT NULL;

CREATE TABLE service (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  code TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  currencyCode TEXT NOT NULL,
  amountWithTax INTEGER NOT NULL,
  amountWithoutTax INTEGER NOT NULL,
  pricingType INTEGER NOT NULL,
  count INTEGER NOT NULL
) STRICT;

CREATE TABLE cancellation_policy (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  code TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  descriptions TEXT,
  reference TEXT,
  tiers TEXT,
  noShowFee TEXT,
  nonRefundable INTEGER
) STRICT;

CREATE TABLE rate_plan (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  active INTEGER,
  parentId INTEGER REFERENCES rate_plan (rid),
  code TEXT NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  startDate TEXT NOT NULL,
  startTime TEXT,
  endDate TEXT NOT NULL,
  endTime TEXT,
  mealPlan TEXT,
  currency TEXT,
  guaranteeType TEXT,
  cancellationPolicyId INTEGER REFERENCES cancellation_policy (rid),
  derivedAdjustment TEXT
) STRICT;

CREATE TABLE reservation (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  externalId TEXT,
  integrationId TEXT,
  status TEXT,
  arrival TEXT,
  departure TEXT,
  source TEXT,
  channel TEXT,
  purpose TEXT,
  comment TEXT,
  guestComment TEXT,
  due INTEGER,
  paid INTEGER,
  outstanding INTEGER,
  currency TEXT
) STRICT;

CREATE INDEX reservation_externalId_integrationId ON reservation (externalId, integrationId) WHERE externalId IS NOT NULL;

CREATE INDEX reservation_arrival ON reservation (arrival);

CREATE TABLE stay (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  reservationId INTEGER NOT NULL REFERENCES reservation (rid),
  startDate TEXT NOT NULL,
  startTime TEXT,
  endDate TEXT NOT NULL,
  endTime TEXT,
  status TEXT NOT NULL,
  personCount TEXT NOT NULL,
  externalId TEXT,
  ratePlanId INTEGER REFERENCES rate_plan (rid),
  amount TEXT,
  comment TEXT,
  guestComment TEXT,
  nights INTEGER,
  plannedStartsAt INTEGER,
  plannedEndsAt INTEGER,
  checkedInAt INTEGER,
  checkedOutAt INTEGER,
  cancellationPolicy TEXT,
  cancellationFee TEXT
) STRICT;

CREATE TABLE stay_unit (
  owner INTEGER NOT NULL REFERENCES stay (rid),
  position INTEGER NOT NULL,
  unitTypeId INTEGER NOT NULL REFERENCES unit_type (rid),
  unitId INTEGER REFERENCES unit (rid),
  PRIMARY KEY (owner, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX stay_unit_unitId ON stay_unit (unitId) WHERE unitId IS NOT NULL;

CREATE TABLE stay_reservation_id (
  owner INTEGER NOT NULL REFERENCES stay (rid),
  position INTEGER NOT NULL,
  type TEXT NOT NULL,
  value TEXT NOT NULL,
  source TEXT,
  searchForm TEXT,
  PRIMARY KEY (owner, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX stay_reservation_id_searchForm ON stay_reservation_id (searchForm) WHERE searchForm IS NOT NULL;

CREATE TABLE stay_service (
  owner INTEGER NOT NULL REFERENCES stay (rid),
  position INTEGER NOT NULL,
  serviceId INTEGER NOT NULL REFERENCES service (rid),
  count INTEGER,
  PRIMARY KEY (owner, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE stay_profile (
  owner INTEGER NOT NULL REFERENCES stay (rid),
  position INTEGER NOT NULL,
  id INTEGER NOT NULL REFERENCES profile (rid),
  role TEXT,
  PRIMARY KEY (owner, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX stay_profile_id ON stay_profile (id) WHERE id IS NOT NULL;

CREATE INDEX stay_reservationId ON stay (reservationId);

CREATE INDEX stay_startDate ON stay (startDate);

CREATE INDEX stay_externalId ON stay (externalId) WHERE externalId IS NOT NULL;

CREATE TABLE access_provider (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  driver TEXT NOT NULL,
  enabled INTEGER,
  connection TEXT NOT NULL,
  credentials TEXT,
  timeZone TEXT,
  clockPolicy TEXT,
  unitMapping TEXT,
  matrix TEXT,
  defaultAuthorizations TEXT,
  maxExtraUnits INTEGER,
  maxCopies INTEGER
) STRICT;

CREATE TABLE dispenser (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  device TEXT NOT NULL,
  capacity INTEGER,
  lowThreshold INTEGER,
  binCapacity INTEGER,
  presentTimeoutSeconds INTEGER,
  onTimeout TEXT,
  acceptReturns INTEGER,
  initAction TEXT,
  commandedState TEXT,
  estimatedCards INTEGER,
  binCount INTEGER,
  dispensed INTEGER,
  captured INTEGER,
  returned INTEGER,
  jams INTEGER
) STRICT;

CREATE TABLE access_controller (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  location TEXT,
  providerId INTEGER NOT NULL REFERENCES access_provider (rid),
  kind TEXT NOT NULL,
  keyType TEXT NOT NULL,
  externalCode TEXT,
  device TEXT,
  virtualBefore TEXT,
  pinLength INTEGER,
  pinAlphabet TEXT,
  pinAvoid TEXT,
  earlyMinutes INTEGER,
  lateMinutes INTEGER,
  verifyAfterWrite INTEGER,
  eraseBeforeReturn INTEGER,
  timeoutMs INTEGER,
  queueLimit INTEGER,
  dispenserId INTEGER REFERENCES dispenser (rid)
) STRICT;

CREATE TABLE key (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  unitName TEXT,
  original INTEGER NOT NULL,
  startDate TEXT NOT NULL,
  startTime TEXT,
  endDate TEXT NOT NULL,
  endTime TEXT,
  authorizations TEXT,
  deAuthorizations TEXT,
  extraUnits TEXT,
  providerId INTEGER NOT NULL REFERENCES access_provider (rid),
  controllerId INTEGER REFERENCES access_controller (rid),
  keyType TEXT NOT NULL,
  externalId TEXT,
  isVirtual INTEGER,
  uid TEXT,
  status TEXT,
  sequence INTEGER,
  familyId TEXT,
  usage TEXT,
  validFrom INTEGER,
  validUntil INTEGER,
  cardFormat TEXT,
  verified INTEGER,
  printText TEXT,
  stayId INTEGER REFERENCES stay (rid),
  lock TEXT,
  credential INTEGER,
  lockSequence INTEGER,
  supersededById INTEGER REFERENCES key (rid)
) STRICT;

CREATE INDEX key_unitName_status ON key (unitName, status);

CREATE INDEX key_externalId ON key (externalId) WHERE externalId IS NOT NULL;

CREATE INDEX key_stayId ON key (stayId) WHERE stayId IS NOT NULL;

CREATE INDEX key_supersededById ON key (supersededById) WHERE supersededById IS NOT NULL;

CREATE INDEX key_uid ON key (uid) WHERE uid IS NOT NULL;

CREATE TABLE card_run (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  keyId INTEGER NOT NULL REFERENCES key (rid),
  controllerId INTEGER NOT NULL REFERENCES access_controller (rid),
  dispenserId INTEGER REFERENCES dispenser (rid),
  step TEXT NOT NULL,
  ending TEXT,
  reason TEXT,
  uid TEXT,
  presentedAt INTEGER,
  endedAt INTEGER
) STRICT;

CREATE INDEX card_run_keyId ON card_run (keyId);

CREATE INDEX card_run_step ON card_run (step) WHERE step <> 'ended';

CREATE TABLE token (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  role TEXT NOT NULL,
  scopes TEXT,
  expiresAt INTEGER,
  digest TEXT
) STRICT;

CREATE UNIQUE INDEX token_digest ON token (digest);

