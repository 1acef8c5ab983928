import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOpen, type KeyEvent, keyLife, statusesAfter } from '../../src/access/keys/life/key-life.ts'
import { key } from '../../src/access/resources/key.ts'

type Status = NonNullable<Parameters<typeof statusesAfter>[1]>

const statuses = key.fields.status.schema.enum as Status[]

/** Every step of the table: an event, the status before and one after. */
const steps = keyLife.flatMap(([, event]) =>
  statuses.flatMap((before) => statusesAfter(event, before).map((after) => ({ event, before, after }))),
)

const eventsOf = (matches: (step: (typeof steps)[number]) => boolean) => [
  ...new Set(steps.filter(matches).map(({ event }) => event)),
]

test('the table names each event once and every status in each', () => {
  assert.equal(new Set(keyLife.map(([, event]) => event)).size, keyLife.length)
  for (const [cells, event] of keyLife) assert.equal(cells.split(/ +/).length, statuses.length, event)
  const letters = [
    ...keyLife
      .map(([cells]) => cells)
      .join('')
      .replaceAll(/[ .]/g, ''),
  ].length
  assert.equal(steps.length, letters)
})

test('a lost key stays lost until its card is proven blank, or was never written', () => {
  const ends = steps.filter(({ before }) => before === 'blocked')
  assert.deepEqual(
    ends.map(({ event, after }) => [event, after]),
    [
      ['unwritten', 'failed'],
      ['erased', 'removed'],
      ['erased', 'failed'],
    ],
  )
})

test('an open key ends only by a proof, or where it was not made', () => {
  const proofs: KeyEvent[] = ['not-made', 'unwritten', 'comes-back', 'revoked', 'erased', 'proven-dead']
  const ends = ({ before, after }: (typeof steps)[number]) =>
    isOpen(before) && !isOpen(after) && after !== 'virtual'
  assert.deepEqual(eventsOf(ends), proofs)
})

test('an ended key opens again only where something shows that it does, or that it never ended', () => {
  const ended = (status: Status) => !isOpen(status) && status !== 'virtual'
  assert.deepEqual(
    eventsOf(({ before, after }) => ended(before) && !ended(after)),
    ['made', 'made-too-late', 'superseded', 'lost', 'stay-goes-on', 'clock-set-back', 'reopened'],
  )
})

test('a key that has expired becomes blocked when it is lost, and never live before the clock is set back', () => {
  const after = (event: KeyEvent) => statusesAfter(event, 'expired')
  assert.deepEqual([after('lost'), after('revoked')], [['blocked'], ['removed', 'invalidated']])
})

test('a key becomes live when it is made, and where what ended it did not happen', () => {
  assert.deepEqual(
    eventsOf(({ after }) => after === 'live'),
    ['made', 'comes-back', 'stay-goes-on', 'clock-set-back'],
  )
})

test('no event but its making and a request of its lock system touches a key that is being made', () => {
  const touching = steps.filter(({ before }) => before === 'pendingWrite')
  // A request that revokes it is refused: the command says so.
  assert.ok(touching.every(({ event }) => event !== 'revoked' && event !== 'lost'))
})

test('a key in doubt is never reported as ended without an answer', () => {
  const ends = steps.filter(({ before, after }) => before === 'unknown' && !isOpen(after))
  assert.deepEqual(
    ends.map(({ event, after }) => [event, after]),
    [
      ['not-made', 'failed'],
      ['not-made', 'virtual'],
      ['unwritten', 'failed'],
      ['revoked', 'removed'],
      ['revoked', 'invalidated'],
      ['erased', 'failed'],
    ],
  )
})
