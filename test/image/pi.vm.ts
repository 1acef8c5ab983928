import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { BuildOptions } from '../../image/build.ts'
import { autoboot, partitionsOf } from '../../image/pi/boot.ts'
import { runInTools } from '../../image/places.ts'
import { brokenKinds, migrate } from './broken.ts'
import { bundleOf, imageFile, withImage } from './built.ts'
import { configure, keptSheet, lobbyHotel, pairedAndSetUp } from './hotel.ts'
import { type Machine, machine } from './machine.ts'
import { newChannel, offer, updatesOf } from './updates.ts'

const hotel = lobbyHotel({ dispenser: 'tcp://127.0.0.1:4001', encoder: 'tcp://127.0.0.1:4002' })

/** Where the box has the files of its updates, on its data partition. */
const offers = '/var/lib/offers-of-test'

/** The simulated devices run inside the box, which has no network and no USB here. They are there at every start, as real ones are. */
const credentials = {
  'systemd.extra-unit.simulated.service': `[Service]
ExecStart=/opt/nightporter/nightporter simulate k720 twn4 --on tcp:4001 --on tcp:4002 --pace 0.2 --taken-after 500 --pocket /run/pocket
Restart=on-failure
`,
  'systemd.unit-dropin.multi-user.target~devices': '[Unit]\nWants=simulated.service\n',
}

const today = new Date().toISOString().slice(0, 10)
const later = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)

const panics = brokenKinds['has a kernel that panics']!
/** Panics before it has loaded a module, the watchdog's driver among them: there is no such program in its initrd. */
const panicsEarly: typeof panics = {
  version: '0.7.8',
  spoil: (configuration) =>
    writeFileSync(
      join(configuration, 'mkosi.conf.d/spoiled.conf'),
      '[Content]\nKernelCommandLine=rdinit=/none\n',
    ),
  reason: panics.reason,
}

/** The content of autoboot.txt on the card, read from outside. */
function autobootOn(disk: string): string {
  return runInTools(['mtype', '-i', `${disk}@@1M`, '::autoboot.txt'], { quiet: true })
}

describe('a box on a Raspberry Pi', withImage, () => {
  let box: Machine
  let token = ''
  let updates: ReturnType<typeof updatesOf>
  const channel = newChannel('pi-channel')

  /** The partitions from which the firmware has started, the oldest first. */
  const startsOf = () => readFileSync(join(box.folder, 'started'), 'utf8').trim().split('\n').map(Number)

  /** Pulls the plug, copies a folder to the data partition, and switches on again. */
  async function withFiles(folder: string): Promise<void> {
    await box.shell('sync')
    await box.kill()
    const disk = join(box.folder, 'disk.raw')
    const { start } = partitionsOf(disk).find(({ name }) => name === 'data')!
    const copy = [
      `where=$(mktemp -d); mount -o loop,offset=${start * 512} "$0" "$where"`,
      `to="$where${offers.replace('/var', '')}"; rm -rf "$to"; cp -r "$1" "$to"; chmod -R a+rX "$to"`,
      'umount "$where"',
    ]
    runInTools(['sh', '-euc', copy.join('\n'), disk, folder], { quiet: true })
    box = await machine('pi', { credentials })
    await box.get('/readyz', { status: 200 })
    updates = updatesOf(box, token)
  }

  /** Lays a version out as a channel of its own, in a folder that is named by it. */
  async function offered(version: string, spoil: BuildOptions['spoil']): Promise<void> {
    const folder = join(channel.folder, version)
    mkdirSync(folder, { recursive: true })
    await offer({ ...channel, folder }, version, await bundleOf(version, spoil))
  }

  /** Makes the box look for updates in one of these folders. */
  const lookIn = (version: string) =>
    configure(box, {
      update: { folder: `${offers}/${version}`, from: null, keys: [channel.publicKey], automatic: 'none' },
    })

  before(async () => {
    box = await machine('pi', { image: imageFile(), credentials })
    await box.get('/readyz', { status: 200 })
  })
  after(() => box?.kill())

  it('starts from its first boot partition, is in service, and no unit has failed', async (test) => {
    test.diagnostic(`power-on until it is ready: ${box.seconds()} s`)
    test.diagnostic(await box.shell('grep -E "MemTotal|MemAvailable" /proc/meminfo; uname -r'))
    assert.deepEqual(startsOf(), [2])
    // The screen and its page look every few seconds, and a minute may pass until an emulated machine has drawn them.
    await box.shell(
      'until /opt/nightporter/nightporter box screen | grep "In service"; do sleep 5; done',
      300_000,
    )
    assert.match((await box.get('/', { port: 80 })).text, /In service/)
    assert.equal(await box.shell('systemctl --failed --no-legend'), '')
    assert.match(await box.shell('cat /proc/device-tree/model'), /Raspberry Pi 4/)
    assert.match(await box.shell('cat /sys/class/watchdog/watchdog0/identity'), /BCM2835/i)
    assert.equal(await updatesOf(box, token).slot(), 'A')
    assert.notEqual((await box.attempt('touch /usr/x')).code, 0)
  })

  it('is paired and set up, and checks a guest in with a card that opens the room', async () => {
    token = await pairedAndSetUp(box, hotel)
    updates = updatesOf(box, token)
    const [type] = (await box.ask<{ data: { id: string }[] }>('GET', '/api/v2/unit-types', token)).data
    await box.ask('POST', '/api/v2/reservations', token, {
      externalId: 'P-1',
      stays: [
        {
          ...{ startDate: today, endDate: later, status: 'Confirmed', personCount: { adults: 1 } },
          units: [{ unitTypeId: type!.id }],
          reservationIds: [{ type: 'Confirmation', value: 'P-1' }],
        },
      ],
    })
    const as = `NODE_TLS_REJECT_UNAUTHORIZED=0 NIGHTPORTER_URL=https://127.0.0.1 NIGHTPORTER_TOKEN=${token}`
    const program = '/opt/nightporter/nightporter'
    const said = await box.shell(
      `for each in 1 2 3 4 5 6; do ${as} ${program} check-in P-1 && exit; sleep 20; done; exit 1`,
      1_800_000,
    )
    assert.match(said, /made at Lobby kiosk and verified/)
    const door = await box.shell(
      `cp /run/pocket/* /tmp/card.json; chmod 644 /tmp/card.json; cd /tmp; setpriv --reuid nightporter --regid nightporter --clear-groups ${program} door --card /tmp/card.json --data /var/lib/nightporter`,
    )
    assert.match(door, /opens/)
  })

  it('keeps its id and its data over a power cut', async () => {
    await keptSheet(box, token)
    await offered('0.7.0', (configuration) => migrate(configuration, 1))
    for (const { version, spoil } of [panics, panicsEarly])
      await offered(version, (configuration) => {
        migrate(configuration, 2)
        spoil(configuration)
      })
    const kept = await updates.kept()
    await withFiles(channel.folder)
    assert.equal(await updates.kept(), kept)
    assert.deepEqual(startsOf(), [2, 2])
    assert.equal(await box.shell('systemctl --failed --no-legend'), '')
  })

  it('writes the other slot from a file, starts it once by tryboot, and keeps it because the box is well', async (test) => {
    await lookIn('0.7.0')
    const kept = await updates.kept()
    const since = Date.now()
    await updates.install()
    const { result, reason } = await updates.ended()
    test.diagnostic(`from the order to its confirmation: ${Math.round((Date.now() - since) / 1_000)} s`)
    assert.deepEqual([result, reason], ['confirmed', null])
    assert.deepEqual([await updates.slot(), await updates.version()], ['B', '0.7.0'])
    assert.equal(await updates.kept(), kept)
    // The kernel handed over tryboot, and the firmware started the other partition.
    assert.deepEqual(startsOf(), [2, 2, 3])
    const log = readFileSync(join(box.folder, 'qemu.log'), 'utf8')
    assert.match(log, /unhandled tag 0x00038064[\s\S]*start with tryboot/)
    assert.equal(autobootOn(join(box.folder, 'disk.raw')), autoboot('b'))
  })

  const laterStarts = [2, 2, 3]
  for (const [name, { version, reason }] of [
    ['panics', panics],
    ['panics before it has its watchdog', panicsEarly],
  ] as const)
    it(`leaves a version whose kernel ${name}, with its data and one reason`, async (test) => {
      await lookIn(version)
      const kept = await updates.kept()
      const since = Date.now()
      await updates.install()
      const last = await updates.ended()
      test.diagnostic(`until the old version says why: ${Math.round((Date.now() - since) / 1_000)} s`)
      assert.equal(last.result, 'rolled-back')
      assert.match(last.reason ?? '', reason)
      laterStarts.push(2, 3)
      assert.deepEqual(startsOf(), laterStarts)
      assert.deepEqual([await updates.slot(), await updates.version()], ['B', '0.7.0'])
      assert.equal(await updates.kept(), kept)
      assert.equal(autobootOn(join(box.folder, 'disk.raw')), autoboot('b'))
      assert.equal(await box.shell('systemctl --failed --no-legend'), '')
    })
})
