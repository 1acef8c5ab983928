import type { Schema } from '../../../reservation/values/value-schema.ts'

/** The used members of a reservation of Connector API 2023-06-06. Times are ISO 8601 in UTC. */
export interface MewsReservation {
  Id: string
  ServiceId: string
  GroupId: string
  AccountId: string
  AccountType: string
  Number: string
  State: string
  UpdatedUtc: string
  ScheduledStartUtc: string
  ScheduledEndUtc: string
  RequestedResourceCategoryId: string
  AssignedResourceId?: string | null
  ChannelNumber?: string | null
  ChannelManager?: string | null
  CancellationReason?: string | null
  Purpose?: string | null
  PersonCounts: { AgeCategoryId: string; Count: number }[]
}

export interface MewsCustomer {
  Id: string
  FirstName?: string | null
  LastName: string
  Title?: string | null
  NationalityCode?: string | null
  LanguageCode?: string | null
  BirthDate?: string | null
  Email?: string | null
  Phone?: string | null
}

export interface MewsCompanionship {
  CustomerId: string
  ReservationId?: string | null
}

export interface MewsResource {
  Id: string
  Name: string
  State?: string
  UpdatedUtc?: string
}

/** A note of a reservation. */
export interface MewsNote {
  Id: string
  ServiceOrderId: string
  Text: string
  Type: string
  CreatedUtc: string
}

/** The used members of a payment. */
export interface MewsPayment {
  Id: string
  CreatedUtc: string
  Data?: { External?: { ExternalIdentifier?: string | null } | null } | null
}

/** A command for a device of the property; the data of a key cutter. */
export interface MewsCommand {
  Id: string
  State: string
  CreatedUtc: string
  Device: { Id: string; Name?: string; Type: string }
  Data: {
    KeyCutterId?: string | null
    ReservationId?: string | null
    StartUtc: string
    EndUtc: string
    KeyCount: number
    LockIds: string[]
  }
}

export interface MewsCategory {
  Id: string
  ExternalIdentifier?: string | null
  ShortNames?: Record<string, string> | null
}

export interface MewsAssignment {
  ResourceId: string
  CategoryId: string
}

export interface MewsAgeCategory {
  Id: string
  Classification: string
}

const text = (maxLength: number): Schema => ({ type: 'string', minLength: 1, maxLength })
const maybe = { type: ['string', 'null'] }
const moment: Schema = { type: 'string', format: 'date-time' }

/** JSON Schema of a received reservation. */
export const reservationSchema: Schema = {
  type: 'object',
  properties: {
    Id: text(64),
    ServiceId: text(64),
    GroupId: text(64),
    AccountId: text(64),
    AccountType: text(30),
    Number: text(128),
    State: text(30),
    UpdatedUtc: moment,
    ScheduledStartUtc: moment,
    ScheduledEndUtc: moment,
    RequestedResourceCategoryId: text(64),
    AssignedResourceId: maybe,
    ChannelNumber: maybe,
    ChannelManager: maybe,
    CancellationReason: maybe,
    Purpose: maybe,
    PersonCounts: {
      type: 'array',
      items: {
        type: 'object',
        properties: { AgeCategoryId: text(64), Count: { type: 'integer', minimum: 0, maximum: 99 } },
        required: ['AgeCategoryId', 'Count'],
      },
    },
  },
  required: [
    'Id',
    'ServiceId',
    'AccountId',
    'Number',
    'State',
    'UpdatedUtc',
    'ScheduledStartUtc',
    'ScheduledEndUtc',
    'RequestedResourceCategoryId',
    'PersonCounts',
  ],
}
