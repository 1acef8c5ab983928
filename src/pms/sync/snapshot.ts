import { hash } from 'node:crypto'
import { kindSql } from '../../reservation/values/payment-kind.ts'
import type { Stored } from '../../resource/field.ts'
import { instantText } from '../../resource/instant-sql.ts'
import { uuidBytes, uuidText } from '../../resource/uuid-sql.ts'
import { canonical } from './inbound/canonical.ts'
import type { SharedReservation } from './shared-reservation.ts'

/** Who can be asked for one text: a change, or the reader. */
export interface Asked {
  text(sql: string, ...values: Stored[]): string | null
}

/**
 * A reservation as the house has it, whole, with its stays in the order in which they were made; null when it is not
 * there. The same state is the same JSON, from a change and from the reader.
 */
export function snapshot(asked: Asked, reservationId: string): SharedReservation | null {
  const text = asked.text(reservationSql, reservationId)
  return text === null ? null : canonical(JSON.parse(text) as SharedReservation)
}

/** A short text that is another one for another reservation, or for the same one in other words. */
export function digestOf(value: SharedReservation | null): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, 22)
}

const members = (row: string, names: readonly string[]) => names.map((name) => `'${name}', ${row}.${name}`)
const lists = (row: string, names: readonly string[]) =>
  names.map((name) => `'${name}', json(${row}.${name})`)

const guestSql = `json_object(${[
  `'externalId', person.externalId`,
  `'localId', ${uuidText('person.id')}`,
  `'role', part.role`,
  ...members('person', ['firstName', 'middleName', 'lastName', 'title', 'profileType', 'companyName']),
  ...members('person', ['nationality', 'languageCode', 'birthDate', 'gender']),
  ...lists('person', ['addresses', 'emails', 'phoneNumbers']),
]})`

/** All items of a part table in their order. */
const listed = (item: string, from: string) =>
  `(SELECT json_group_array(${item} ORDER BY part.position) FROM ${from} WHERE part.owner = stay.rid)`

const staySql = `json_object(${[
  `'externalId', stay.externalId`,
  `'localId', ${uuidText('stay.id')}`,
  ...members('stay', ['status', 'startDate', 'startTime', 'endDate', 'endTime']),
  ...lists('stay', ['personCount']),
  `'units', json(${listed(
    `json_object('unitTypeCode', kind.code, 'unitName', unit.name)`,
    `stay_unit AS part JOIN unit_type AS kind ON kind.rid = part.unitTypeId LEFT JOIN unit ON unit.rid = part.unitId`,
  )})`,
  ...members('stay', ['shareId']),
  `'reservationIds', json(${listed(
    `json_object('type', part.type, 'value', part.value, 'source', part.source)`,
    'stay_reservation_id AS part',
  )})`,
  `'ratePlanCode', (SELECT code FROM rate_plan WHERE rate_plan.rid = stay.ratePlanId)`,
  `'services', json(${listed(
    `json_object('serviceCode', product.code, 'count', part.count)`,
    'stay_service AS part JOIN service AS product ON product.rid = part.serviceId',
  )})`,
  ...lists('stay', ['amount']),
  `'guests', json(${listed(guestSql, 'stay_profile AS part JOIN profile AS person ON person.rid = part.id')})`,
  ...members('stay', ['comment', 'guestComment']),
]})`

/** The payments that were taken here, without refunds: a PMS would add them up. */
const paymentSql = `json_object(${[
  `'id', ${uuidText('payment.id')}`,
  `'stayLocalId', (SELECT ${uuidText('stay.id')} FROM stay WHERE stay.rid = payment.stayId)`,
  ...members('payment', ['currency', 'amount']),
  `'brand', CASE payment.brand WHEN 'Other' THEN coalesce(payment.brandText, 'Other') ELSE payment.brand END`,
  `'recordedAt', ${instantText('payment.createdAt')}`,
  `'voidedAt', ${instantText('payment.voidedAt')}`,
]})`

const isTaken = `${kindSql} = 'Payment'`

const reservationSql = `SELECT json_object(${[
  `'externalId', reservation.externalId`,
  `'localId', ${uuidText('reservation.id')}`,
  ...members('reservation', ['channel', 'purpose', 'comment', 'guestComment']),
  `'stays', json((SELECT json_group_array(${staySql} ORDER BY stay.rid) FROM stay WHERE stay.reservationId = reservation.rid))`,
  `'payments', json((SELECT json_group_array(${paymentSql} ORDER BY payment.rid) FROM payment WHERE payment.reservationId = reservation.rid AND ${isTaken}))`,
]}) FROM reservation WHERE reservation.id = ${uuidBytes()}`
