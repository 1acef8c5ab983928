import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { promised } from './document.ts'
import { nameOf, type Row } from './row.ts'
import { availabilityRows } from './rows-of-availability.ts'
import { guestRows } from './rows-of-guests.ts'
import { handOverRows } from './rows-of-hand-overs.ts'
import { paymentRows } from './rows-of-payments.ts'
import { providerRows } from './rows-of-providers.ts'
import { registrationRows } from './rows-of-registrations.ts'
import { stayRows } from './rows-of-stays.ts'
import { terminalRows } from './rows-of-terminals.ts'
import { unitRows } from './rows-of-units.ts'
import { tables } from './table.ts'

const rows: Row[] = [
  ...availabilityRows,
  ...providerRows,
  ...paymentRows,
  ...guestRows,
  ...stayRows,
  ...unitRows,
  ...handOverRows,
  ...registrationRows,
  ...terminalRows,
]

tables('The reservation interface', rows)

describe('The table of the document', () => {
  it('has a row for each code of each operation', () => {
    const played = new Set(rows.map(nameOf))
    assert.deepEqual(
      promised.filter((each) => !played.has(each)),
      [],
    )
  })

  it('has no row that the document does not have', () => {
    const known: readonly string[] = promised
    const operations = new Set(known.map((each) => each.replace(/ \d+$/, '')))
    assert.deepEqual(
      rows.filter(({ of }) => !operations.has(of)),
      [],
    )
  })
})
