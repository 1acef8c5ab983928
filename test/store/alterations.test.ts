import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resources } from '../../src/composition/api.ts'
import type { Fields } from '../../src/resource/field.ts'
import { country, date, integer, reference, text } from '../../src/resource/fields.ts'
import type { Resources } from '../../src/resource/path.ts'
import { type Resource, resource } from '../../src/resource/resource.ts'
import { alterations, migratedDatabase } from '../../src/store/alterations.ts'

/** The resources with one of them declared with more fields or indexes. */
function withMore(type: string, fields: Fields, indexes: Resource['indexes'] = []): Resources {
  const known = resources.get(type)!
  const more = { ...known, fields: { ...known.fields, ...fields }, indexes: [...known.indexes, ...indexes] }
  return new Map(resources).set(type, more)
}

const comparedBy = { column: 'noteForm', sql: "iif(note IS NOT NULL, upper(note), '')" }
const comparedText = text({ comparedBy })

/** The booking numbers of a stay with one more member. */
function withMember(members: Fields): Fields[string] {
  const known = resources.get('stay')!.fields.reservationIds!
  return { ...known, members: { ...known.members, ...members } }
}

describe('the statements of the next migration', () => {
  it('are none when the migrations make all that is declared', () => {
    assert.deepEqual(alterations(migratedDatabase(), resources), [])
  })

  const rows: [
    name: string,
    type: string,
    fields: Fields,
    indexes: Resource['indexes'],
    expected: string[],
  ][] = [
    ['a text', 'profile', { plate: text() }, [], ['ALTER TABLE profile ADD COLUMN plate TEXT;']],
    ['a number', 'unit', { windows: integer() }, [], ['ALTER TABLE unit ADD COLUMN windows INTEGER;']],
    ['a day', 'stay', { quotedOn: date() }, [], ['ALTER TABLE stay ADD COLUMN quotedOn TEXT;']],
    ['a code', 'property', { flag: country() }, [], ['ALTER TABLE property ADD COLUMN flag TEXT;']],
    [
      'a reference with its index',
      'key',
      { byProfileId: reference('profile') },
      [{ fields: ['byProfileId'], where: 'byProfileId IS NOT NULL', why: 'a test' }],
      [
        'ALTER TABLE key ADD COLUMN byProfileId INTEGER REFERENCES profile (rid);',
        'CREATE INDEX key_byProfileId ON key (byProfileId) WHERE byProfileId IS NOT NULL;',
      ],
    ],
    [
      'a member with the column by which filters compare it',
      'stay',
      { reservationIds: withMember({ note: comparedText }) },
      [],
      [
        'ALTER TABLE stay_reservation_id ADD COLUMN note TEXT;',
        "ALTER TABLE stay_reservation_id ADD COLUMN noteForm TEXT GENERATED ALWAYS AS (iif(note IS NOT NULL, upper(note), '')) VIRTUAL;",
      ],
    ],
    [
      'an index alone',
      'profile',
      {},
      [{ fields: ['birthDate'], why: 'a test' }],
      ['CREATE INDEX profile_birthDate ON profile (birthDate);'],
    ],
  ]
  for (const [name, type, fields, indexes, expected] of rows)
    it(`add ${name}, and then nothing is missing`, () => {
      const db = migratedDatabase()
      const more = withMore(type, fields, indexes)
      assert.deepEqual(alterations(db, more), expected)
      for (const sql of expected) db.exec(sql)
      assert.deepEqual(alterations(db, more), [])
    })

  it('make the table of a new resource', () => {
    const scopes = { read: 'profiles.read', write: 'profiles.write' }
    const locker = resource('locker', { path: 'lockers', scopes, fields: { name: text({ required: true }) } })
    const db = migratedDatabase()
    const more = new Map(resources).set('locker', locker)
    const [sql = '', ...others] = alterations(db, more)
    assert.match(sql, /^CREATE TABLE locker \(/)
    assert.deepEqual(others, [])
    db.exec(sql)
    assert.deepEqual(alterations(db, more), [])
  })

  it('say of a required column what to do instead', () => {
    const [said = ''] = alterations(
      migratedDatabase(),
      withMore('profile', { plate: text({ required: true }) }),
    )
    assert.match(said, /^-- profile\.plate is required\..* make the field optional\.$/)
  })
})
