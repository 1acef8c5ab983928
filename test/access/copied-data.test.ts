import assert from 'node:assert/strict'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { machineIdentity, type Place } from '../../src/host/machine-identity.ts'
import { copyStore } from '../../src/store/disk/copy.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { folderFor } from '../backup/recovery.ts'
import fc from '../seed.ts'
import { passTime } from '../test-clock.ts'
import { houseWithDoors, serve, withDoors } from './house-with-doors.ts'

const epoch = '/api/config/v1/epoch'
const isFenced = async ({ ask }: TestAppliance): Promise<boolean> =>
  (await ask('GET', epoch)).body.data.attributes.isFenced

const at = (path: string, file: string, machine: string | null = 'first'): Place => ({ machine, path, file })

/** A folder on a machine, always at the same path. */
const on = (machine: string | null) =>
  machine === null ? null : { machine, path: '/var/lib/nightporter', file: '7' }

/** A box on a machine, with the data folder of another one that is switched off. */
async function copyOf(t: TestContext, data: string, machineId: string | null): Promise<TestAppliance> {
  const folder = folderFor(t)
  cpSync(data, folder, { recursive: true })
  const house = await startAppliance({ data: folder, placeOf: () => on(machineId) })
  t.after(() => house.stop())
  return house
}

/** The data folder of a box that made a key on a machine; null for a machine without an identity. */
async function usedOn(t: TestContext, machineId: string | null): Promise<string> {
  const data = folderFor(t)
  const house = await houseWithDoors({ data, placeOf: () => on(machineId) })
  await serve(house, '101')
  await house.stop()
  return data
}

describe('A data folder on another machine', () => {
  it('makes no keys and says why, until a person says that this box is the right one', async (t) => {
    const copy = await copyOf(t, await usedOn(t, 'first'), 'second')
    const doors = Object.assign(copy, await withDoors(copy, copy.data, copy.clock.now))
    const refused = await doors.issue('102')
    assert.deepEqual([refused.status, refused.body.errors[0].code], [409, 'box-fenced'])
    assert.match(refused.body.errors[0].detail, /copied from another machine/)
    await passTime(3_000)
    const { checks } = (await copy.ask('GET', '/api/v2/status')).body.data.attributes
    assert.deepEqual(
      checks['keys:fenced'].map(({ status, messages }: { status: string; messages: { code: string }[] }) => [
        status,
        messages[0]?.code,
      ]),
      [['fail', 'box-copied']],
    )
    await copy.restart()
    assert.equal(await isFenced(copy), true, 'a restart changes nothing')
    assert.equal((await copy.ask('POST', `${epoch}/actions/claim`)).status, 200)
    await serve(doors, '102')
    await copy.restart()
    assert.equal(await isFenced(copy), false, 'the machine is known now')
  })

  it('makes keys on the machine where it was', async (t) => {
    assert.equal(await isFenced(await copyOf(t, await usedOn(t, 'first'), 'first')), false)
  })

  it('makes keys where a machine before this version was not noted', async (t) => {
    assert.equal(await isFenced(await copyOf(t, await usedOn(t, null), 'second')), false)
  })

  it('makes keys on a machine that has no identity', async (t) => {
    assert.equal(await isFenced(await copyOf(t, await usedOn(t, 'first'), null)), false)
  })

  const moves: [what: string, from: Place, to: Place, isCopy: boolean][] = [
    ['a folder that was renamed', at('/a', '7'), at('/b', '7'), false],
    ['a copy at another path of the machine', at('/a', '7'), at('/b', '8'), true],
    ['a folder whose files have other numbers at the same path', at('/a', '7'), at('/a', '8'), false],
    ['a copy where machines have no identity', at('/a', '7', null), at('/b', '8', null), true],
    ['a volume at another path of another container', at('/a', '7', null), at('/b', '7', null), false],
  ]
  for (const [what, from, to, isCopied] of moves)
    it(`${isCopied ? 'makes no keys' : 'makes keys'} as ${what}`, async (t) => {
      let place = from
      const house = await startAppliance({ placeOf: () => place })
      t.after(() => house.stop())
      await house.restart(() => {
        place = to
      })
      assert.equal(await isFenced(house), isCopied)
    })

  it('is asked for again on a third machine', async (t) => {
    const second = await copyOf(t, await usedOn(t, 'first'), 'second')
    await second.ask('POST', `${epoch}/actions/claim`)
    await second.appliance.close()
    assert.equal(await isFenced(await copyOf(t, second.data, 'third')), true)
    await second.restart()
  })

  it('makes keys after a restore, which decides itself', async (t) => {
    const old = await houseWithDoors({ placeOf: () => on('first') })
    t.after(() => old.stop())
    const data = folderFor(t)
    mkdirSync(data, { recursive: true })
    copyStore(join(old.data, 'nightporter.db'), join(data, 'nightporter.db'), old.clock.now())
    cpSync(join(old.data, 'secret.key'), join(data, 'secret.key'))
    const restored = await startAppliance({ data, placeOf: () => on('second') })
    t.after(() => restored.stop())
    assert.equal(await isFenced(restored), false)
    await restored.restart()
    assert.equal(await isFenced(restored), false)
  })
})

describe('The identity of a machine', () => {
  const root = (t: TestContext, files: Record<string, string>) => {
    const folder = folderFor(t)
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(folder, name, '..'), { recursive: true })
      writeFileSync(join(folder, name), content)
    }
    return folder
  }
  const serial = 'sys/firmware/devicetree/base/serial-number'

  it('is the id of the installation and the serial number of the board', (t) => {
    const files = { 'etc/machine-id': 'a1\n', [serial]: '10000000abc\0' }
    assert.equal(machineIdentity(root(t, files)), 'a1\n10000000abc')
  })

  it('is none without either, before the id is made, and in a container', (t) => {
    assert.equal(machineIdentity(root(t, {})), null)
    assert.equal(machineIdentity(root(t, { 'etc/machine-id': 'uninitialized\n' })), null)
    assert.equal(machineIdentity(root(t, { 'etc/machine-id': 'a1', '.dockerenv': '' })), null)
  })

  it('differs between any two ids', (t) => {
    const id = fc.stringMatching(/^[0-9a-f]{32}$/)
    fc.assert(
      fc.property(id, id, (one, other) => {
        fc.pre(one !== other)
        const [first, second] = [one, other].map((each) =>
          machineIdentity(root(t, { 'etc/machine-id': each })),
        )
        assert.notEqual(first, second)
      }),
      { numRuns: 10 },
    )
  })
})
