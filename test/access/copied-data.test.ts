import assert from 'node:assert/strict'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { machineIdentity, mediumOf, type Place } from '../../src/host/machine/machine-identity.ts'
import { copyStore } from '../../src/store/disk/copy.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { folderFor } from '../backup/recovery.ts'
import fc from '../seed.ts'
import { passTime } from '../test-clock.ts'
import { houseWithDoors, serve, withDoors } from './house-with-doors.ts'

const epoch = '/api/config/v1/epoch'
const isFenced = async ({ ask }: TestAppliance): Promise<boolean> =>
  (await ask('GET', epoch)).body.data.attributes.isFenced

const nowhere = { machine: null, board: null, medium: null }
const at = (path: string, file: string, machine: string | null = 'first'): Place => ({
  ...nowhere,
  machine,
  path,
  file,
})

/** A folder on a machine, always at the same path. */
const on = (machine: string | null) => (machine === null ? null : at('/var/lib/nightporter', '7', machine))

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
  const box = { machine: 'id', board: 'pi', medium: 'card', path: '/a', file: '7' }
  const changes: [what: string, from: Partial<Place>, to: Partial<Place>, isCopy: boolean][] = [
    ['a card that was put into a replacement board', {}, { board: 'other' }, false],
    ['a copy of a card in another board', {}, { board: 'other', medium: 'other' }, true],
    ['a copy of a card in the same board', {}, { medium: 'other' }, false],
    ['a copy of a disk whose number is not known', { medium: null }, { medium: null, board: 'other' }, true],
    ['a board that was installed anew', {}, { machine: 'new', medium: 'new', file: '9' }, false],
    ['a disk that was put into another machine', { board: null }, { board: null, machine: 'other' }, false],
    ['a machine whose id was not made at its first start', { machine: null }, {}, false],
    ['a machine whose board could not be read first', { board: null }, {}, false],
    ['a machine whose board can no longer be read', {}, { board: null }, false],
    ['a copy at another path of the same card', {}, { path: '/b', file: '8' }, true],
    ['a copy on another machine', {}, { machine: 'o', board: 'o', medium: 'o', path: '/b', file: '8' }, true],
  ]
  for (const [what, from, to, isCopied] of [
    ...moves,
    ...changes.map(
      ([what, from, to, isCopy]) => [what, { ...box, ...from }, { ...box, ...to }, isCopy] as const,
    ),
  ])
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
    assert.deepEqual(machineIdentity(root(t, files)), { machine: 'a1', board: '10000000abc' })
  })

  it('is none without either, before the id is made, for a board numbered zero, and in a container', (t) => {
    const none = { machine: null, board: null }
    assert.deepEqual(machineIdentity(root(t, {})), none)
    assert.deepEqual(machineIdentity(root(t, { 'etc/machine-id': 'uninitialized\n' })), none)
    assert.deepEqual(machineIdentity(root(t, { [serial]: '0000000000000000\0' })), none)
    for (const mark of [
      '.dockerenv',
      'run/.containerenv',
      'var/run/secrets/kubernetes.io/serviceaccount/token',
    ])
      assert.deepEqual(machineIdentity(root(t, { 'etc/machine-id': 'a1', [serial]: '1', [mark]: '' })), none)
  })

  it('is also the number of the card or disk of the data, where the kernel knows one', (t) => {
    const disks: [name: string, part: string, file: string][] = [
      ['mmcblk0', 'mmcblk0p2', 'cid'],
      ['nvme0n1', 'nvme0n1p3', 'serial'],
      ['sda', 'sda1', 'wwid'],
      ['vda', 'vda1', 'vendor'],
    ]
    const folder = root(
      t,
      Object.fromEntries(
        disks.flatMap(([disk, part, file], index) => [
          [`sys/block/${disk}/device/${file}`, `number ${index}\n`],
          [`sys/block/${disk}/${part}/partition`, '1\n'],
          [`sys/dev/block/${disk}`, ''],
        ]),
      ),
    )
    for (const [index, [disk, part]] of disks.entries()) {
      const [whole, partition] = [256 * 8 + index * 16, 256 * 8 + index * 16 + 1]
      symlinkSync(join(folder, 'sys/block', disk), join(folder, `sys/dev/block/8:${index * 16}`))
      symlinkSync(join(folder, 'sys/block', disk, part), join(folder, `sys/dev/block/8:${index * 16 + 1}`))
      for (const device of [whole, partition])
        assert.equal(mediumOf(BigInt(device), folder), disk === 'vda' ? null : `number ${index}`)
    }
    assert.equal(mediumOf(0n, folder), null)
  })

  it('differs between any two ids', (t) => {
    const id = fc.stringMatching(/^[0-9a-f]{32}$/)
    fc.assert(
      fc.property(id, id, (one, other) => {
        fc.pre(one !== other)
        const [first, second] = [one, other].map((each) =>
          machineIdentity(root(t, { 'etc/machine-id': each })),
        )
        assert.notEqual(first?.machine, second?.machine)
      }),
      { numRuns: 10 },
    )
  })
})
