import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { type House, opened, releaseBefore, root, unpacked } from '../release-before.ts'

const work = mkdtempSync(join(tmpdir(), 'nightporter-before-'))
after(() => rmSync(work, { recursive: true, force: true }))

function day(from: number): string {
  return new Date(Date.now() + from * 86_400_000).toISOString().slice(0, 10)
}

/** Books, assigns a unit and checks in, with the given external id. */
async function worked(house: House, externalId: string): Promise<void> {
  const expectDone = async (method: string, path: string, attributes: object) => {
    const { status, text } = await house.ask(method, path, attributes)
    assert.ok(status < 300, `${method} ${path}: ${status} ${text}`)
    return text && JSON.parse(text).data
  }
  const [{ id: unitTypeId }] = await house.read('/api/v2/unit-types?filter[code]=FAM')
  const [{ id: profileId }] = await house.read('/api/v2/profiles?page[size]=1')
  const stay = {
    startDate: day(0),
    endDate: day(2),
    status: 'Confirmed',
    personCount: { adults: 2 },
    units: [{ unitTypeId }],
    reservationIds: [{ type: 'Confirmation', value: externalId }],
    profiles: [{ id: profileId, role: 'PrimaryGuest' }],
    amount: { currency: 'EUR', amountWithTax: 327 },
  }
  const { id, attributes } = await expectDone('POST', '/api/v2/reservations', { externalId, stays: [stay] })
  const path = `/api/v2/reservations/${id}/stays/${attributes.stays[0].id}`
  await expectDone('PATCH', path, { endDate: day(3) })
}

const commit = releaseBefore()
it('the release before reads and writes a database that this program has migrated', {
  skip: commit ? false : 'the history of the releases is not here',
}, async () => {
  const before = unpacked(commit!, work)
  const data = join(work, 'data')
  const left: string[] = []
  for (const folder of [before, root, before, root]) {
    const house = await opened(folder, data)
    for (const name of left)
      assert.equal((await house.read(`/api/v2/reservations?filter[externalId]=${name}`)).length, 1, name)
    const name = `R${left.length}`
    await worked(house, name)
    left.push(name)
    await house.stop()
  }
  assert.equal(left.length, 4)
  // The release before made the folder, so the first migration was preceded by a copy, which that release opens.
  assert.ok(existsSync(join(data, 'before-migration.db')))
})
