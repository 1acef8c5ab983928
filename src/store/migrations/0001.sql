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

-- Texts by the groups of three letters in them, folded. A row is a text of a field: the field's number, times 2^40, and the
-- number of the row that holds it. The texts themselves are not kept here, nor where in them a group stands: what is found
-- is compared with the row.
CREATE VIRTUAL TABLE search USING fts5 (
  text, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'
);

-- Texts on their way into it and out of it, the newest word about a place counting; in the order of their coming, so that a
-- change writes one page.
CREATE TABLE search_pending (
  place INTEGER NOT NULL,
  text TEXT NOT NULL,
  gone INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The resources, as they are declared: `npm run migration` prints them.

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
  retentionDays INTEGER,
  personalDataDays INTEGER,
  recordDays INTEGER
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

CREATE TABLE unit_block (
  owner INTEGER NOT NULL REFERENCES unit (rid),
  position INTEGER NOT NULL,
  startDate TEXT NOT NULL,
  endDate TEXT NOT NULL,
  reason TEXT,
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

CREATE INDEX reservation_status ON reservation (status) WHERE status = 'InHouse';

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
  lent TEXT,
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
  cancellationFee TEXT,
  due INTEGER,
  paid INTEGER,
  outstanding INTEGER,
  currency TEXT
) STRICT;

CREATE TABLE stay_unit (
  owner INTEGER NOT NULL REFERENCES stay (rid),
  position INTEGER NOT NULL,
  unitId INTEGER REFERENCES unit (rid),
  unitTypeId INTEGER NOT NULL REFERENCES unit_type (rid),
  PRIMARY KEY (owner, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX stay_unit_unitId ON stay_unit (unitId) WHERE unitId IS NOT NULL;

CREATE TABLE stay_held_unit (
  owner INTEGER NOT NULL REFERENCES stay (rid),
  position INTEGER NOT NULL,
  unitId INTEGER NOT NULL REFERENCES unit (rid),
  PRIMARY KEY (owner, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX stay_held_unit_unitId ON stay_held_unit (unitId) WHERE unitId IS NOT NULL;

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
  currencyCode TEXT,
  amountWithTax INTEGER,
  amountWithoutTax INTEGER,
  pricingType INTEGER,
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

CREATE INDEX stay_endDate ON stay (endDate);

CREATE INDEX stay_externalId ON stay (externalId) WHERE externalId IS NOT NULL;

CREATE INDEX stay_status ON stay (status) WHERE status = 'InHouse';

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
  jams INTEGER,
  retries INTEGER,
  sinceService INTEGER,
  alarms TEXT
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
  dispenserId INTEGER REFERENCES dispenser (rid),
  alarms TEXT
) STRICT;

CREATE TABLE access_unit (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  code TEXT,
  config TEXT,
  providerId INTEGER NOT NULL REFERENCES access_provider (rid)
) STRICT;

CREATE UNIQUE INDEX access_unit_providerId_name ON access_unit (providerId, name);

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
  pin TEXT,
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
  proof TEXT,
  provenDeadAt INTEGER,
  opensAt INTEGER,
  dueTold INTEGER,
  revokedAs TEXT,
  revocationToldAt INTEGER,
  changeAsked TEXT,
  changeAskedAt INTEGER,
  pinSealed TEXT,
  pinMark TEXT,
  reference TEXT,
  familyNumber INTEGER,
  extraLocks TEXT,
  lock TEXT,
  credential INTEGER,
  lockSequence INTEGER,
  isOfStay INTEGER,
  supersededById INTEGER REFERENCES key (rid)
) STRICT;

CREATE INDEX key_unitName_status ON key (unitName, status);

CREATE INDEX key_externalId ON key (externalId) WHERE externalId IS NOT NULL;

CREATE INDEX key_stayId ON key (stayId) WHERE stayId IS NOT NULL;

CREATE INDEX key_supersededById ON key (supersededById) WHERE supersededById IS NOT NULL;

CREATE INDEX key_uid ON key (uid) WHERE uid IS NOT NULL;

CREATE INDEX key_pinMark ON key (pinMark) WHERE pinMark IS NOT NULL;

CREATE INDEX key_changeAskedAt ON key (changeAskedAt) WHERE changeAskedAt IS NOT NULL;

CREATE INDEX key_status_validUntil ON key (status, validUntil);

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
  placed INTEGER,
  presentedAt INTEGER,
  endedAt INTEGER
) STRICT;

CREATE INDEX card_run_keyId ON card_run (keyId);

CREATE INDEX card_run_step ON card_run (step) WHERE step <> 'ended';

CREATE TABLE key_service (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  driver TEXT NOT NULL,
  enabled INTEGER,
  connection TEXT NOT NULL,
  encoders TEXT
) STRICT;

CREATE TABLE unit_to_check (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  providerId INTEGER NOT NULL REFERENCES access_provider (rid),
  unitName TEXT NOT NULL,
  keysFrom INTEGER NOT NULL,
  keysUntil INTEGER NOT NULL,
  lock TEXT NOT NULL,
  numberFloor INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX unit_to_check_providerId_lock ON unit_to_check (providerId, lock);

CREATE TABLE pms_configuration (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  name TEXT NOT NULL,
  adapter TEXT NOT NULL,
  enabled INTEGER,
  transport TEXT,
  direction TEXT,
  conflictPolicy TEXT,
  heartbeatSeconds INTEGER,
  timeoutMs INTEGER,
  connection TEXT,
  credentials TEXT
) STRICT;

CREATE TABLE pms_webhook (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  configurationId INTEGER NOT NULL REFERENCES pms_configuration (rid),
  callbackUrl TEXT
) STRICT;

CREATE INDEX pms_webhook_configurationId ON pms_webhook (configurationId);

CREATE TABLE sync_record (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  integrationId TEXT NOT NULL,
  reservationId TEXT NOT NULL,
  externalId TEXT,
  upstreamRevision INTEGER,
  digest TEXT,
  state TEXT NOT NULL,
  pending INTEGER,
  base TEXT,
  untold TEXT,
  differing TEXT,
  waitsFor TEXT,
  lastSyncedAt INTEGER
) STRICT;

CREATE UNIQUE INDEX sync_record_reservationId ON sync_record (reservationId);

CREATE UNIQUE INDEX sync_record_integrationId_externalId ON sync_record (integrationId, externalId) WHERE externalId IS NOT NULL;

CREATE INDEX sync_record_waitsFor ON sync_record (waitsFor) WHERE waitsFor IS NOT NULL;

CREATE TABLE sync_conflict (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  configurationId TEXT NOT NULL,
  reservationId TEXT NOT NULL,
  stayId TEXT,
  fieldGroup TEXT NOT NULL,
  fields TEXT NOT NULL,
  base TEXT,
  local TEXT,
  upstream TEXT,
  counts TEXT NOT NULL,
  reason TEXT NOT NULL,
  sentence TEXT NOT NULL,
  state TEXT NOT NULL,
  detectedAt INTEGER NOT NULL,
  resolvedAt INTEGER
) STRICT;

CREATE INDEX sync_conflict_reservationId ON sync_conflict (reservationId);

CREATE INDEX sync_conflict_state ON sync_conflict (state) WHERE state = 'open';

CREATE INDEX sync_conflict_detectedAt ON sync_conflict (detectedAt);

CREATE TABLE sync_link (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  configurationId INTEGER NOT NULL REFERENCES pms_configuration (rid),
  pullCursor TEXT,
  tailedTo INTEGER NOT NULL,
  publishedTo INTEGER NOT NULL,
  inStepAt INTEGER,
  isConnected INTEGER,
  lends INTEGER,
  forgotten INTEGER
) STRICT;

CREATE UNIQUE INDEX sync_link_configurationId ON sync_link (configurationId);

CREATE TABLE sync_offer (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  configurationId INTEGER NOT NULL REFERENCES pms_configuration (rid),
  reservationId TEXT NOT NULL,
  marks INTEGER NOT NULL,
  since INTEGER NOT NULL,
  offer TEXT,
  offeredMarks INTEGER,
  attempts INTEGER NOT NULL,
  notBefore INTEGER NOT NULL,
  refused TEXT,
  withoutUnits TEXT
) STRICT;

CREATE UNIQUE INDEX sync_offer_configurationId_reservationId ON sync_offer (configurationId, reservationId);

CREATE INDEX sync_offer_configurationId_notBefore ON sync_offer (configurationId, notBefore);

CREATE TABLE quarantined_message (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  configurationId INTEGER NOT NULL REFERENCES pms_configuration (rid),
  kind TEXT NOT NULL,
  externalId TEXT,
  pmsRevision INTEGER,
  reason TEXT NOT NULL,
  payload TEXT NOT NULL,
  size INTEGER NOT NULL,
  retryable INTEGER,
  attempts INTEGER,
  lastTriedAt INTEGER,
  digest TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX quarantined_message_configurationId_digest ON quarantined_message (configurationId, digest);

CREATE INDEX quarantined_message_configurationId_externalId ON quarantined_message (configurationId, externalId) WHERE externalId IS NOT NULL;

CREATE TABLE room_lease (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  configurationId INTEGER NOT NULL REFERENCES pms_configuration (rid),
  leaseId TEXT NOT NULL,
  pmsRevision INTEGER NOT NULL,
  unitNames TEXT,
  startDate TEXT NOT NULL,
  endDate TEXT NOT NULL,
  validUntil INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX room_lease_configurationId_leaseId ON room_lease (configurationId, leaseId);

CREATE INDEX room_lease_endDate ON room_lease (endDate);

CREATE TABLE housekeeping_record (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  configurationId INTEGER NOT NULL REFERENCES pms_configuration (rid),
  unitName TEXT NOT NULL,
  pmsRevision INTEGER NOT NULL,
  status TEXT NOT NULL
) STRICT;

CREATE UNIQUE INDEX housekeeping_record_configurationId_unitName ON housekeeping_record (configurationId, unitName);

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
  lastUsedAt INTEGER,
  previousUntil INTEGER,
  digest TEXT,
  previousDigest TEXT
) STRICT;

CREATE UNIQUE INDEX token_digest ON token (digest);

CREATE UNIQUE INDEX token_previousDigest ON token (previousDigest);

CREATE TABLE webhook (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  url TEXT NOT NULL,
  types TEXT,
  enabled INTEGER,
  payload TEXT,
  secret TEXT,
  previousSecret TEXT,
  previousUntil INTEGER,
  hears TEXT,
  switchedOffBecause TEXT,
  beginsAt INTEGER
) STRICT;

CREATE TABLE webhook_delivery (
  rid INTEGER PRIMARY KEY,
  id BLOB NOT NULL UNIQUE,
  createdAt INTEGER NOT NULL,
  updatedAt INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  webhookId INTEGER NOT NULL REFERENCES webhook (rid),
  sequence INTEGER NOT NULL,
  eventId TEXT NOT NULL,
  eventType TEXT NOT NULL,
  subject TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER,
  nextAttemptAt INTEGER,
  lastAttemptAt INTEGER,
  lastStatus INTEGER,
  lastError TEXT,
  diedAt INTEGER
) STRICT;

CREATE UNIQUE INDEX webhook_delivery_webhookId_sequence ON webhook_delivery (webhookId, sequence);

CREATE INDEX webhook_delivery_sequence ON webhook_delivery (sequence);

CREATE INDEX webhook_delivery_state_diedAt ON webhook_delivery (state, diedAt);
