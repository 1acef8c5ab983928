import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { monday, startAppliance, type TestAppliance } from '../../appliance.ts'
import { run } from '../../cli/command-line.ts'
import { settableClock } from '../../test-clock.ts'

const root = join(import.meta.dirname, '../../..')
const bookings =
  process.env.NIGHTPORTER_BOOKINGS ?? join(root, '..', 'shared', 'data', 'resort-bookings.csv.gz')
const map = join(import.meta.dirname, 'resort-bookings.map.json')
const leftOut = existsSync(bookings) ? false : 'left out: the real bookings are not here'

const words = { Canceled: 'Canceled', CheckedOut: 'Check-Out', NoShow: 'No-Show' }

/** How often each status stands in the file. */
function countsInFile(): Record<string, number> {
  const lines = gunzipSync(readFileSync(bookings)).toString().split('\n')
  const ending = (word: string) => lines.filter((line) => line.includes(`,${word},`)).length
  return Object.fromEntries(Object.entries(words).map(([status, word]) => [status, ending(word)]))
}

/** How many reservations the appliance has by status, page by page. */
async function countsInHouse({ ask }: TestAppliance): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const first =
    '/api/v2/reservations?filter[source]=Import&fields[reservation]=status,externalId&page[size]=100'
  for (let next: string | null = first; next; ) {
    const { body, status, text } = await ask('GET', next)
    assert.equal(status, 200, text)
    for (const { attributes } of body.data) {
      if (!attributes.externalId.startsWith('RESORT-')) continue
      counts[attributes.status] = (counts[attributes.status] ?? 0) + 1
    }
    next = body.links.next ?? null
  }
  return counts
}

it('imports every real booking of a resort, each status as often as the file has it', {
  skip: leftOut,
}, async (t) => {
  const house = await startAppliance({ clock: settableClock(monday) })
  t.after(() => house.stop())
  const inFile = countsInFile()
  const { code, stdout, stderr } = await run(
    'import',
    bookings,
    '--map',
    map,
    '--create-units',
    '--url',
    house.appliance.url,
  )
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^9999 rows in [\d.]+ s: 9999 accepted, 0 refused\n/)
  for (const [status, count] of Object.entries(inFile)) {
    assert.match(stdout, new RegExp(`\\n {2}${status} +${count} accepted, 0 refused\\n`))
  }
  assert.match(stdout, /\n {2}7 of the accepted bookings named no guests/)
  assert.deepEqual(await countsInHouse(house), inFile)
})
