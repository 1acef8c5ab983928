import assert from 'node:assert/strict'
import { it } from 'node:test'
import { accessUnit } from '../../src/access/resources/access-unit.ts'
import {
  type Door,
  doorNamed,
  doorsAlike,
  doorsBehind,
  doorsOf,
  doorsWithLock,
  isSharedLock,
} from '../../src/access/resources/door.ts'
import type { Transaction } from '../../src/resource/command.ts'
import fc from '../seed.ts'
import { bareKeys } from './bare-keys.ts'

interface Given {
  unitName: string
  externalCode: string
  shared?: boolean
}

const names = ['101', '102', '103', 'Garage', "O'Hara"]
const locks = ['A', 'a', '101', '7']

/** Entries with names of their own. Two of them may have one lock, as before that was refused. */
const entries = fc.uniqueArray(
  fc.record({
    unitName: fc.constantFrom(...names),
    externalCode: fc.constantFrom(...locks),
    shared: fc.boolean(),
  }),
  { selector: ({ unitName }) => unitName },
)
const units = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom(...names),
    code: fc.constantFrom(null, ...locks),
    shared: fc.constantFrom(null, true, false),
  }),
  { selector: ({ name }) => name },
)

type Unit = { name: string; code: string | null; shared: boolean | null }

/** Stores them past the rules, which would refuse some. */
function stored(house: ReturnType<typeof bareKeys>, tx: Transaction, mapping: Given[], given: Unit[]): void {
  const { db, one, other } = house
  for (const each of given) {
    tx.insert(accessUnit, { ...each, code: `own ${each.name}`, shared: null, providerId: one } as never)
    tx.insert(accessUnit, { ...each, code: `other ${each.name}`, shared: null, providerId: other } as never)
    const sql = 'UPDATE access_unit SET code = ?, shared = ? WHERE code = ?'
    db.prepare(sql).run(each.code, each.shared === null ? null : Number(each.shared), `own ${each.name}`)
  }
  const sql = "UPDATE access_provider SET unitMapping = ? WHERE id = unhex(replace(?, '-', ''))"
  db.prepare(sql).run(JSON.stringify(mapping), one)
}

/** The doors as the entries say: an access unit counts where no entry has its name. */
function modelled(mapping: Given[], given: Unit[]): Door[] {
  const all = [
    ...mapping.map(({ unitName, externalCode, shared = false }) => ({
      name: unitName,
      lock: externalCode,
      shared,
      isMapped: true,
    })),
    ...given
      .filter(({ name }) => !mapping.some(({ unitName }) => unitName === name))
      .map(({ name, code, shared }) => ({
        name,
        lock: code ?? name,
        shared: shared === true,
        isMapped: false,
      })),
  ]
  /** An access unit with a name of its own does not say that the lock of a unit is shared. */
  const deciding = (entries: typeof all) => {
    const mapped = entries.filter(({ isMapped }) => isMapped)
    return mapped.length > 0 ? mapped : entries
  }
  return all.map(({ name, lock }) => ({
    name,
    unit: name,
    lock,
    isShared: deciding(all.filter((each) => each.lock === lock)).some(({ shared }) => shared),
  }))
}

/** Access units have no order. */
const sorted = (doors: readonly Door[]) => doors.toSorted((one, other) => (one.name < other.name ? -1 : 1))

function expectDoors(house: ReturnType<typeof bareKeys>, mapping: Given[], given: Unit[]): void {
  house.during((tx) => {
    stored(house, tx, mapping, given)
    const { one } = house
    const doors = modelled(mapping, given)
    const found = doorsOf(tx, one)
    assert.deepEqual(sorted(found), sorted(doors))
    assert.deepEqual(found.slice(0, mapping.length), doors.slice(0, mapping.length))
    for (const lock of [...locks, ...names]) {
      const behind = doors.filter((each) => each.lock === lock)
      const alike = doors.filter((each) => each.lock.toUpperCase() === lock.toUpperCase())
      assert.deepEqual(sorted(doorsAlike(tx, one, lock)), sorted(alike))
      assert.deepEqual(sorted(doorsWithLock(tx, one, lock)), sorted(behind))
      assert.equal(isSharedLock(tx, one, lock), behind[0]?.isShared ?? false)
    }
    for (const name of [...names, 'Z', '']) {
      const door = doors.find((each) => each.name === name) ?? null
      assert.deepEqual(doorNamed(tx, one, name), door)
      const behind = door === null ? [] : doors.filter(({ lock }) => lock === door.lock)
      assert.deepEqual(sorted(doorsBehind(tx, one, name)), sorted(behind))
    }
  })
}

const cases: [title: string, mapping: Given[], units: Unit[]][] = [
  ['there is no door', [], []],
  ['an access unit has its name as its lock', [], [{ name: '101', code: null, shared: null }]],
  [
    'an entry of the mapping takes precedence over the access unit of its name',
    [{ unitName: '101', externalCode: 'A' }],
    [{ name: '101', code: '7', shared: true }],
  ],
  [
    'one entry that says so makes a lock a shared one for all its units',
    [
      { unitName: '101', externalCode: 'A', shared: true },
      { unitName: '102', externalCode: 'A' },
    ],
    [],
  ],
  [
    'a lock of the mapping is not shared because an access unit says so',
    [{ unitName: '101', externalCode: 'A' }],
    [{ name: 'Garage', code: 'A', shared: true }],
  ],
  [
    'capital and small letters are two locks',
    [
      { unitName: '101', externalCode: 'A', shared: true },
      { unitName: '102', externalCode: 'a' },
    ],
    [],
  ],
  [
    'an access unit that an entry hides shares nothing',
    [{ unitName: '101', externalCode: 'A' }],
    [
      { name: '101', code: '7', shared: true },
      { name: '102', code: '7', shared: false },
    ],
  ],
]

for (const [title, mapping, given] of cases) it(title, (test) => expectDoors(bareKeys(test), mapping, given))

it('the doors of a provider are those of its entries, however they are asked for', (test) => {
  const house = bareKeys(test)
  fc.assert(
    fc.property(entries, units, (mapping, given) => expectDoors(house, mapping, given)),
    { numRuns: 100 },
  )
})
